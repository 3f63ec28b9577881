import type { mongo } from 'mongoose';
import type { AccountStore, KeyHolder } from '../../application/ports/accountStore.ts';
import type { AccountChange } from '../../application/ports/database.ts';
import { StaleWrite } from '../../application/ports/storeErrors.ts';
import type { Account } from '../../domain/account.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toDocument, toFields, type StoredDocument } from './documents.ts';
import type { MergedReads } from './mergedReads.ts';

type Session = mongo.ClientSession | undefined;

function changes(before: Account, after: Account): Partial<Account> {
  const changed = Object.entries(after).filter(
    ([name, value]) => before[name as keyof Account] !== value,
  );
  return Object.fromEntries(changed);
}

/** The guarded update of an account: it misses when the account is no longer the version that was read. */
export function accountUpdate({ before, after, spendsBefore }: AccountChange): {
  filter: mongo.Filter<StoredDocument>;
  update: mongo.UpdateFilter<StoredDocument>;
} {
  const stillLive =
    spendsBefore === undefined ? {} : { $expr: { $lt: ['$$NOW', new Date(spendsBefore)] } };
  const fields = toFields({ ...changes(before, after), version: before.version + 1 });
  return {
    filter: { _id: before.id, version: before.version, ...stillLive },
    update: { $set: fields },
  };
}

/** Accounts in MongoDB, outside a transaction or bound to one. */
export function createAccountStore(
  { accounts }: Collections,
  reads: MergedReads,
  session: Session,
): AccountStore {
  const inSession = session ? { session } : {};
  const findOne = async (filter: Record<string, unknown>): Promise<Account | null> => {
    const found = await accounts.findOne(filter, inSession);
    return found && fromDocument<Account>(found);
  };
  return {
    find: (accountId) => (session ? findOne({ _id: accountId }) : reads.findAccount(accountId)),
    async findByKeyHash(hashes) {
      const hash = { $in: [...hashes] };
      const projection = { limits: 1, keys: { $elemMatch: { hash } } };
      const found = await accounts.findOne({ 'keys.hash': hash }, { ...inSession, projection });
      return found && fromDocument<KeyHolder>(found);
    },
    findByKeyId: (keyId) => findOne({ 'keys.id': keyId }),
    findByEmail: (email) => findOne({ email }),

    async insert(account) {
      await accounts.insertOne(toDocument(account), inSession);
    },

    async update(before, after) {
      const { filter, update } = accountUpdate({ before, after });
      const written = await accounts.updateOne(filter, update, inSession);
      if (written.matchedCount === 0) throw new StaleWrite('account', before.id);
    },

    async findWithExpiredLots(nowMs, limit) {
      const expired = {
        $elemMatch: { remaining: { $gt: 0 }, expiresAt: { $lte: new Date(nowMs) } },
      };
      const found = accounts.find(
        { lots: expired },
        { ...inSession, projection: { _id: 1 }, limit },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },
  };
}
