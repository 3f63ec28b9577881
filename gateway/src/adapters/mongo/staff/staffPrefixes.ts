import { minuteMs } from '@framegate/contract';
import type { StaffQueries } from '../../../application/ports/staffQueries.ts';
import { firstGenerationId, timesOf } from '../../../domain/ids.ts';
import { type AccountLookups, rangeFrom } from '../accounts/accountLookups.ts';
import { type Models, shortReadMs } from '../collections.ts';
import { accountCodec, type StoredAccount } from '../models/accounts.ts';
import type { StoredGeneration } from '../models/generations.ts';
import type { Filter } from '../models/statements.ts';
import { lineOf, lineProjection } from './staffLists.ts';

/** The console's searches by prefix. */
export function createPrefixQueries(
  { generations, accounts }: Pick<Models, 'generations' | 'accounts'>,
  lookups: Pick<AccountLookups, 'findAccountIds'>,
): Pick<StaffQueries, 'findLinesFrom' | 'findAccountsFrom'> {
  return {
    async findLinesFrom(by, start, limit) {
      const filter: Filter<StoredGeneration> =
        by === 'id' ? { _id: rangeFrom(start) } : { ...madeBy(start), requestId: rangeFrom(start) };
      const options = { hint: '_id_', sort: { _id: -1 }, limit, maxTimeMS: shortReadMs } as const;
      const cursor = generations.find(filter, lineProjection, options);
      return (await cursor.lean()).map(lineOf);
    },

    async findAccountsFrom(by, start, limit) {
      const range = rangeFrom(start);
      const filters = {
        email: { email: range },
        keyId: { keys: { $elemMatch: { id: range } } },
        keyPrefix: { keys: { $elemMatch: { prefix: range } } },
      };
      const filter: Filter<StoredAccount> =
        by === 'id'
          ? { _id: range }
          : { _id: { $in: await lookups.findAccountIds(by, start) }, ...filters[by] };
      const documents = await accounts
        .find(filter, {}, { hint: '_id_', limit, maxTimeMS: shortReadMs })
        .lean();
      return documents.map(accountCodec.fromStored);
    },
  };
}

/** Maximum age difference between a generation and its request, in ms: uploads are awaited. */
const olderByMs = 1_000;
const youngerByMs = 6 * minuteMs;

/** Generations of requests whose ids start with this text, by the time in both ids, so that requests need no index. */
function madeBy(requestStart: string) {
  const { from, until } = timesOf(requestStart);
  const [first, end] = [from - olderByMs, until + youngerByMs];
  return { _id: { $gte: firstGenerationId(first), $lt: firstGenerationId(end) } };
}
