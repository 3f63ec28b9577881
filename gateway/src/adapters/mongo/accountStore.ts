import type { mongo } from 'mongoose';
import type { AccountStore, KeyHolder } from '../../application/ports/accountStore.ts';
import type { Account } from '../../domain/account.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toDocument } from './documents.ts';
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

    async insert(account) {
      try {
        await accounts.insertOne(toDocument(account));
      } catch (error) {
        throw asDuplicate(error);
      }
    },
  };
}
