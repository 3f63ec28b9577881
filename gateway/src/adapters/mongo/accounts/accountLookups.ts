import {
  type LookupChange,
  type LookupKind,
  lookupTime,
} from '../../../domain/accounts/accountLookups.ts';
import { type Collections, listPages, shortReadMs } from '../collections.ts';
import type { InTransaction } from '../transactions.ts';

/**
 * Writes the lookups of changed accounts in the same transaction, so that they are always exact.
 * @throws The driver's error for a value that another account has.
 */
export async function writeLookups(
  { accountLookups }: Pick<Collections, 'accountLookups'>,
  changes: readonly (LookupChange & { accountId: string })[],
  options: InTransaction,
): Promise<void> {
  const removals = changes.flatMap(({ accountId, gone: ids }) =>
    ids.map((_id) => ({ deleteOne: { filter: { _id, accountId } } })),
  );
  if (removals.length > 0) await accountLookups.bulkWrite(removals, options);
  const inserts = changes.flatMap(({ accountId, added: ids }) =>
    ids.map((_id) => ({ _id, accountId })),
  );
  if (inserts.length > 0) await accountLookups.insertMany(inserts, options);
}

/** Maximum lookups examined by a search. */
const maxExamined = 1_000;

/** Reads by lookups. An account may change between the two reads, so callers check the value again. */
export interface AccountLookups {
  /** @returns The id of the account with this value, or null. */
  findAccountId(id: string): Promise<string | null>;
  /** @returns The ids of accounts with a value of this kind that starts with this prefix. */
  findAccountIds(kind: LookupKind, beginning: string): Promise<string[]>;
}

/** Lookups of accounts in MongoDB. */
export function createAccountLookups({
  accountLookups,
}: Pick<Collections, 'accountLookups'>): AccountLookups {
  return {
    async findAccountId(id) {
      const document = await accountLookups.findOne({ _id: id });
      return document?.accountId ?? null;
    },
    async findAccountIds(kind, beginning) {
      const documents = await accountLookups
        .find(
          { _id: rangeFrom(`${kind} ${beginning}`) },
          { sort: { _id: 1 }, hint: '_id_', limit: maxExamined, maxTimeMS: shortReadMs },
        )
        .toArray();
      return [...new Set(documents.map(({ accountId }) => accountId))];
    },
  };
}

/** Ids and values of lookups are ASCII: everything with this prefix sorts before the end of the range. */
export const rangeFrom = (start: string) => ({ $gte: start, $lt: `${start}\u007f` });

/** Pages of ids of accounts for which a reminder of an erasure, or the erasure itself, is due. */
export async function* listAccountsToErase(
  { accountLookups }: Pick<Collections, 'accountLookups'>,
  nowMs: number,
): AsyncGenerator<string[]> {
  const kind = 'erasureRequest' satisfies LookupKind;
  const _id = { $gte: `${kind} `, $lt: `${kind} ${lookupTime(nowMs + 1)}` };
  const cursor = accountLookups.find({ _id }, { hint: '_id_', projection: { _id: 1 } });
  for await (const page of listPages(cursor)) {
    yield page.map((id) => id.slice(id.lastIndexOf(' ') + 1));
  }
}
