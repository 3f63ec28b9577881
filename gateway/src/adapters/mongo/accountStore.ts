import type { mongo } from 'mongoose';
import type {
  AccountStore,
  FormerKeyStore,
  KeyHolder,
  FindCreditTotals,
} from '../../application/ports/database.ts';
import { nextExpiryOf } from '../../domain/credits.ts';
import type { Account, ApiKey } from '../../domain/account.ts';
import { fromDocument, toDocument, toFields, type Collections } from './collections.ts';
import { asDuplicate } from './errors.ts';
import type { MergedReads } from './mergedReads.ts';

/** Accounts in MongoDB. */
export function createAccountStore(
  { accounts }: Collections,
  reads: MergedReads,
): AccountStore & {
  /** An account as the primary has it, also what no majority has yet. */
  findNewest(accountId: string): Promise<Account | null>;
} {
  const findOne = async (
    filter: Record<string, unknown>,
    options?: mongo.FindOneOptions,
  ): Promise<Account | null> => {
    const found = await accounts.findOne(filter, options);
    return found && fromDocument<Account>(found);
  };
  return {
    find: (accountId) => reads.findAccount(accountId),
    findNewest: (accountId) =>
      findOne({ _id: accountId }, { readConcern: 'local', readPreference: 'primary' }),
    async findByKeyHash(hashes) {
      const hash = { $in: [...hashes] };
      const projection = { limits: 1, keys: { $elemMatch: { hash } } };
      const found = await accounts.findOne({ 'keys.hash': hash }, { projection });
      return found && fromDocument<KeyHolder>(found);
    },
    findByKeyId: (keyId) => findOne({ 'keys.id': keyId }),
    findByEmail: (email) => findOne({ email }),
    async findIdByEmail(email) {
      const found = await accounts.findOne({ email }, { projection: { _id: 1 } });
      return found?._id ?? null;
    },

    async insert(account) {
      try {
        await accounts.insertOne(
          toDocument({ ...account, nextExpiryAt: nextExpiryOf(account.lots) }),
        );
      } catch (error) {
        throw asDuplicate(error);
      }
    },
  };
}

/** How long the credits of all accounts may take to be added up, in ms. */
const maxTotalsMs = 20_000;

/** Adds up what all accounts hold. */
export function createFindCreditTotals({
  accounts,
}: Pick<Collections, 'accounts'>): FindCreditTotals {
  return async () => {
    const [totals] = await accounts
      .aggregate<{ available: number; inFlight: number }>(
        [
          {
            $group: {
              _id: null,
              available: { $sum: { $sum: '$lots.remaining' } },
              inFlight: { $sum: '$inFlightCredits' },
            },
          },
        ],
        // Every account is read: a secondary has the time for it.
        { maxTimeMS: maxTotalsMs, readPreference: 'secondaryPreferred' },
      )
      .toArray();
    return { available: totals?.available ?? 0, inFlight: totals?.inFlight ?? 0 };
  };
}

/** Revoked keys that have left their account, in MongoDB, by key id. */
export function createFormerKeyStore({
  formerKeys,
}: Pick<Collections, 'formerKeys'>): FormerKeyStore {
  return {
    async keep(accountId, keys) {
      await formerKeys.bulkWrite(
        keys.map(({ id, name, hash, lastFour, createdAt, revokedAt }) => ({
          updateOne: {
            filter: { _id: id },
            update: { $set: toFields({ accountId, name, hash, lastFour, createdAt, revokedAt }) },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
    async names(accountId, keyIds) {
      const found = formerKeys.find(
        { _id: { $in: [...keyIds] }, accountId },
        { projection: { name: 1 } },
      );
      const keys = (await found.toArray()).map((each) => fromDocument<ApiKey>(each));
      return new Map(keys.map(({ id, name }) => [id, name]));
    },
    async hasHash(hash) {
      return (await formerKeys.findOne({ hash }, { projection: { _id: 1 } })) !== null;
    },
  };
}
