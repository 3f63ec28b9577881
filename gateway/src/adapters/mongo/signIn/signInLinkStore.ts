import type { SignInLinkStore } from '../../../application/ports/operator.ts';
import type { Collections, Models } from '../collections.ts';
import { signInLinkCodec } from '../models/signInLinks.ts';
import { afterNowExpression, createRecords } from '../records.ts';
import { insertRecords } from '../staff/operatorStores.ts';
import type { RunTransaction } from '../transactions.ts';

/** Sign-in links in MongoDB; a TTL index removes expired ones. */
export function createSignInLinkStore(
  { signInLinks }: Pick<Models, 'signInLinks'>,
  collections: Pick<Collections, 'signInLinks' | 'operatorRequests' | 'staffAudit'>,
  runTransaction: RunTransaction,
): SignInLinkStore {
  const { findOne, change } = createRecords(signInLinks, signInLinkCodec);
  const usable = (id: string) => ({
    _id: id,
    usedAt: null,
    $expr: afterNowExpression('expiresAt'),
  });
  return {
    insert: (link, records) =>
      runTransaction(async (options) => {
        await collections.signInLinks.insertOne(signInLinkCodec.toStored(link), options);
        await insertRecords(collections, [records], options);
      }),
    find: (id) => findOne(usable(id)),
    take: (id) => change(usable(id), [{ $set: { usedAt: '$$NOW' } }]),
  };
}
