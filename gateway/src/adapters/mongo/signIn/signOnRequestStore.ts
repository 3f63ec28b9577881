import type { SignOnRequestStore } from '../../../application/ports/signOn.ts';
import type { Models } from '../collections.ts';
import { signOnRequestCodec } from '../models/signInLinks.ts';
import { afterNowExpression, createRecords } from '../records.ts';

/** Sign-ons in progress in MongoDB; a TTL index removes expired ones. */
export function createSignOnRequestStore({
  signOnRequests,
}: Pick<Models, 'signOnRequests'>): SignOnRequestStore {
  const { insert, change } = createRecords(signOnRequests, signOnRequestCodec);
  return {
    insert,
    take: (id) =>
      change({ _id: id, usedAt: null, $expr: afterNowExpression('expiresAt') }, [
        { $set: { usedAt: '$$NOW' } },
      ]),
  };
}
