import type { mongo } from 'mongoose';
import type {
  GenerationLine,
  LineFilter,
  StaffQueries,
} from '../../application/ports/staffQueries.ts';
import type { Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import { refundedCredits } from '../../domain/refund.ts';
import { fromDocument, windowPage, type Collections, type StoredDocument } from './collections.ts';

/** What a line of results shows: neither prompt nor inputs. */
export const lineProjection = {
  accountId: 1,
  type: 1,
  model: 1,
  status: 1,
  createdAt: 1,
  endedAt: 1,
  costCredits: 1,
  refundedCredits: 1,
  channel: 1,
  keyId: 1,
  failure: 1,
};

const pointProjection = {
  model: 1,
  status: 1,
  createdAt: 1,
  endedAt: 1,
  costCredits: 1,
  refundedCredits: 1,
  'failure.code': 1,
  'attempts.provider': 1,
};

/** What that leaves of an ended generation. */
type EndedGeneration = Pick<
  Generation,
  'model' | 'createdAt' | 'costCredits' | 'refundedCredits' | 'failure'
> & {
  status: 'completed' | 'failed';
  endedAt: number;
  attempts: { provider: string }[];
};

/** Generations that a page of a list looks at. */
const window = 5_000;
/** Generations that a page shows beyond its length because they ended in the millisecond of its last one. */
const mostTied = 1_000;
const maxTimeMS = 5_000;

/** Ids, addresses and keys are ASCII: nothing that begins so sorts behind this. */
const range = (start: string) => ({ $gte: start, $lt: `${start}\u007f` });

/** The console's lists, and what is found by its beginning. */
export function createListQueries({
  generations,
  accounts,
}: Pick<Collections, 'generations' | 'accounts'>): Pick<
  StaffQueries,
  'list' | 'ofAccount' | 'ends' | 'openSince' | 'linesFrom' | 'accountsFrom'
> {
  const toLine = (document: mongo.Document) => fromDocument<GenerationLine>(document);

  return {
    async list(filter, before, limit) {
      const { isByEnd, ...order } = orderOf(filter, before);
      const conditions = conditionsOf(filter);
      const { found, last } = await windowPage(generations, {
        ...order,
        conditions,
        projection: lineProjection,
        window,
        limit,
      });
      if (last === null || !isByEnd) {
        return { lines: found.map(toLine), older: last && toLine(last).id };
      }
      const { endedAt } = last as { endedAt: Date };
      const shown = found.filter(({ endedAt: at }) => Number(at) === Number(endedAt));
      const tied = generations.find(
        { ...conditions, endedAt, _id: { $nin: shown.map(({ _id }) => String(_id)) } },
        { hint: order.hint, limit: mostTied, maxTimeMS, projection: lineProjection },
      );
      const lines = [...found, ...(await tied.toArray())].map(toLine);
      return { lines, older: String(endedAt.getTime()) };
    },

    async ofAccount(accountId, filter, before, limit) {
      const { found, last } = await windowPage(generations, {
        match: { accountId, ...(before !== null && { _id: { $lt: before } }) },
        sort: { accountId: 1, _id: -1 },
        hint: 'history',
        conditions: filter,
        projection: lineProjection,
        window,
        limit,
      });
      return { lines: found.map(toLine), older: last && toLine(last).id };
    },

    async ends(since, limit) {
      const found = generations.find(
        { status: { $in: ['completed', 'failed'] }, endedAt: { $gte: new Date(since) } },
        { hint: 'ends', sort: { endedAt: -1 }, limit, maxTimeMS, projection: pointProjection },
      );
      return (await found.toArray()).map((document) => {
        const end = fromDocument<EndedGeneration>(document);
        const { model, status, createdAt, endedAt, failure, attempts } = end;
        const provider = attempts.at(-1)?.provider ?? null;
        const code = failure?.code ?? null;
        const refunded = refundedCredits(end);
        return { model, status, provider, code, refundedCredits: refunded, createdAt, endedAt };
      });
    },

    async openSince(limit) {
      const found = generations.find(
        { open: true },
        { hint: 'unfinished', limit, maxTimeMS, projection: { _id: 0, createdAt: 1 } },
      );
      return (await found.toArray()).map(({ createdAt }) => (createdAt as Date).getTime());
    },

    async linesFrom(by, start, limit) {
      const [field, hint] = by === 'id' ? ['_id', '_id_'] : ['requestId', 'requestId'];
      const found = generations.find(
        { [field]: range(start) },
        { hint, sort: { [field]: -1 }, limit, projection: lineProjection, maxTimeMS },
      );
      return (await found.toArray()).map(toLine);
    },

    async accountsFrom(by, start, limit) {
      const ofKeys = (field: string) => ({ keys: { $elemMatch: { [field]: range(start) } } });
      const [filter, hint] = {
        id: [{ _id: range(start) }, '_id_'] as const,
        email: [{ email: range(start) }, 'email'] as const,
        keyId: [ofKeys('id'), 'keyId'] as const,
        key: [ofKeys('prefix'), 'keyPrefix'] as const,
      }[by];
      const found = accounts.find(filter as mongo.Filter<StoredDocument>, {
        hint,
        limit,
        maxTimeMS,
      });
      return (await found.toArray()).map((document) => fromDocument<Account>(document));
    },
  };
}

/** Ended ones by their end, open ones by their id: each by an index that has them in that order. */
function orderOf({ status, since = 1 }: LineFilter, before: string | null) {
  if (status === 'completed' || status === 'failed') {
    const until = before === null ? {} : { $lt: new Date(Number(before)) };
    return {
      match: { status, endedAt: { $gte: new Date(since), ...until } },
      sort: { endedAt: -1 } as const,
      hint: 'ends',
      isByEnd: true,
    };
  }
  return {
    match: { open: true, ...(before !== null && { _id: { $lt: before } }) },
    sort: { _id: -1 } as const,
    hint: 'openIds',
    isByEnd: false,
  };
}

function conditionsOf({ status, model, code }: LineFilter): Record<string, string> {
  return {
    status,
    ...(model !== undefined && { model }),
    ...(code !== undefined && { 'failure.code': code }),
  };
}
