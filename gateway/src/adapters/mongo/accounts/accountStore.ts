import type { AccountStore, FormerKeyStore } from '../../../application/ports/database.ts';
import type { FindCreditTotals } from '../../../application/ports/figures.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import {
  allLookupIdsOf,
  identityLookup,
  lookupId,
} from '../../../domain/accounts/accountLookups.ts';
import { nextExpiryOf } from '../../../domain/credits/credits.ts';
import { type Collections, type Models, whetherCommitted } from '../collections.ts';
import { isCollision, retry } from '../errors.ts';
import type { MergedReads } from '../mergedReads.ts';
import { accountCodec, type StoredAccount } from '../models/accounts.ts';
import { formerKeyCodec } from '../models/keys.ts';
import type { Filter } from '../models/statements.ts';
import { insertRecords } from '../staff/operatorStores.ts';
import { CommitUnknownError, type RunTransaction } from '../transactions.ts';
import { type AccountLookups, writeLookups } from './accountLookups.ts';
import { createKeyHolders } from './keyHolders.ts';

/** Accounts in MongoDB. */
export function createAccountStore(
  collections: Collections,
  reads: MergedReads,
  runTransaction: RunTransaction,
  lookups: AccountLookups,
): AccountStore & {
  /** The account on the primary, including writes that have not reached a majority. */
  findNewest(accountId: string): Promise<Account | null>;
} {
  const { accounts } = collections;
  // An unknown value costs as many reads as a known one, so that timing does not reveal which it is.
  const findId = async (lookup: string) => (await lookups.findAccountId(lookup)) ?? '';
  const findBy = async (lookup: string, filter: Filter<StoredAccount>): Promise<Account | null> => {
    const document = await accounts.findOne({ _id: await findId(lookup), ...filter });
    return document && accountCodec.fromStored(document);
  };
  const isInserted = async (accountId: string) =>
    (await accounts.findOne({ _id: accountId }, whetherCommitted)) !== null;
  return {
    find: (accountId) => reads.findAccount(accountId),
    async findNewest(accountId) {
      const newest = { readConcern: 'local', readPreference: 'primary' } as const;
      const document = await accounts.findOne({ _id: accountId }, newest);
      return document && accountCodec.fromStored(document);
    },
    findByKeyHash: createKeyHolders(collections),
    findByKeyId: (keyId) => findBy(lookupId('keyId', keyId), { 'keys.id': keyId }),
    async findPeople(accountIds) {
      const projection = {
        email: 1,
        status: 1,
        isStoppedToErase: 1,
        members: 1,
        recovery: 1,
        teamName: 1,
      } as const;
      const cursor = accounts.find({ _id: { $in: [...accountIds] } }, { projection });
      return (await cursor.sort({ _id: 1 }).toArray()).map(accountCodec.fromPart);
    },
    async findInviting(email) {
      const _id = { $in: await lookups.findAccountIds('invitedEmail', `${email} `) };
      const options = { projection: { _id: 1 }, limit: 100, hint: '_id_' } as const;
      const cursor = accounts.find({ _id, 'invitations.email': email }, options);
      return (await cursor.toArray()).map((each) => each._id);
    },
    findByExternalId: (externalId) => findBy(lookupId('externalId', externalId), { externalId }),
    findByIdentity: (issuer, subject) =>
      findBy(identityLookup({ issuer, subject }), {
        identities: { $elemMatch: { issuer, subject } },
      }),
    findByEmail: (email) => findBy(lookupId('email', email), { email }),
    async findIdByEmail(email) {
      const _id = await findId(lookupId('email', email));
      return (await accounts.findOne({ _id, email }, { projection: { _id: 1 } }))?._id ?? null;
    },

    async insert(account, records) {
      const document = {
        ...accountCodec.toStored(account),
        nextExpiryAt: nextExpiryDate(account),
      };
      const changes = {
        accountId: account.id,
        gone: [],
        added: allLookupIdsOf(account.id, account),
      };
      const insertAll = () =>
        runTransaction(async (options) => {
          await accounts.insertOne(document, options);
          await writeLookups(collections, [changes], options);
          await insertRecords(collections, records ? [records] : [], options);
        });
      // Of two inserts with the same unique value, the later first collides; its retry is a duplicate.
      try {
        await retry(insertAll, { on: isCollision, withinMs: insertWithinMs });
      } catch (error) {
        if (!(error instanceof CommitUnknownError) || !(await isInserted(account.id))) throw error;
      }
    },
  };
}

/** How long to retry an insert after collisions, in ms. */
const insertWithinMs = 4_000;

/** The expiry of the first lot that still holds credits, for the index that upkeep reads. */
export function nextExpiryDate({ lots }: Pick<Account, 'lots'>): Date | null {
  const at = nextExpiryOf(lots);
  return at === null ? null : new Date(at);
}

/** Time limit for adding up the credits of all accounts, in ms. */
const maxTotalsMs = 20_000;

/** Sums the credits of all accounts in MongoDB. */
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
        // Uses a secondary, because it reads all accounts.
        { maxTimeMS: maxTotalsMs, readPreference: 'secondaryPreferred' },
      )
      .toArray();
    return { available: totals?.available ?? 0, inFlight: totals?.inFlight ?? 0 };
  };
}

/** Revoked keys that have left their account, by key id. */
export function createFormerKeyStore(
  { formerKeys }: Pick<Models, 'formerKeys'>,
  collections: Pick<Collections, 'formerKeys'>,
): FormerKeyStore {
  return {
    async keep(accountId, keys) {
      await collections.formerKeys.bulkWrite(
        keys.map(({ id, name, hash, lastFour, createdAt, revokedAt }) => ({
          updateOne: {
            filter: { _id: id },
            update: {
              $set: formerKeyCodec.toFields({
                accountId,
                name,
                hash,
                lastFour,
                createdAt,
                revokedAt,
              }),
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
    async findNames(accountId, keyIds) {
      const filter = { _id: { $in: [...keyIds] }, accountId };
      const options = { projection: { name: 1 } } as const;
      const documents = await formerKeys.collection.find(filter, options).toArray();
      return new Map(documents.map(({ _id, name }) => [_id, name]));
    },
    async hasHash(hash) {
      return (await formerKeys.findOne({ hash }, { _id: 1 }).lean()) !== null;
    },
  };
}
