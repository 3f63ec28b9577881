import type { FailureCode } from '@framegate/contract';
import { mapInStretches } from '@framegate/limits';
import type {
  CustomerEnds,
  GenerationLine,
  LineFilter,
  LinePage,
  StaffQueries,
} from '../../../application/ports/staffQueries.ts';
import { type Collections, type Models, shortReadMs } from '../collections.ts';
import { loadWindowPage } from '../generations/windowPage.ts';
import { generationCodec, type StoredGeneration } from '../models/generations.ts';
import type { Filter, ProjectedDocument } from '../models/statements.ts';

/** Fields of a result line, without prompt and inputs. */
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
  'attempts.provider': 1,
} as const;

/** Fields about the work on a generation, without the prompt and the providers' texts. */
const workProjection = {
  step: 1,
  deadlineAt: 1,
  waitsFor: 1,
  'attempts.provider': 1,
  'attempts.finishedAt': 1,
  'attempts.fault': 1,
} as const;

/** A result line as read from the database. */
export function lineOf(
  document: ProjectedDocument<StoredGeneration, typeof lineProjection>,
): GenerationLine {
  const { attempts, ...line } = generationCodec.fromPart(document);
  return { ...line, provider: attempts.at(-1)?.provider ?? null };
}

/** Generations examined by a page of a list. */
const maxExamined = 5_000;
/** Maximum generations beyond a page's length that ended in the same millisecond as its last one. */
const maxTied = 1_000;

/** The console's lists. */
export function createListQueries(
  { accounts }: Pick<Models, 'accounts'>,
  collections: Pick<Collections, 'generations'>,
): Pick<StaffQueries, 'list' | 'countByCustomer' | 'findOwners' | 'findWorks' | 'listOfAccount'> {
  /** The newest unfinished ones, selected by the keys of one index where possible. */
  async function openPage(
    filter: LineFilter,
    before: string | null,
    limit: number,
  ): Promise<LinePage> {
    const fitting = collections.generations.find(
      { open: true, ...conditionsOf(filter), ...(before !== null && { _id: { $lt: before } }) },
      {
        projection: { _id: 1 },
        hint: 'unfinished',
        sort: { _id: -1 },
        limit: limit + 1,
        maxTimeMS: shortReadMs,
      },
    );
    const ids = (await fitting.toArray()).map(({ _id }) => _id);
    const shownIds = ids.slice(0, limit);
    const options = { projection: lineProjection, sort: { _id: -1 } } as const;
    const documents = await collections.generations
      .find({ _id: { $in: shownIds } }, options)
      .toArray();
    const lines = documents.map(lineOf);
    return { lines, older: ids.length > limit ? (shownIds.at(-1) ?? null) : null };
  }

  return {
    async list(filter, before, limit) {
      const { status } = filter;
      if (status !== 'completed' && status !== 'failed') return openPage(filter, before, limit);
      const ends = endsOf(filter, before);
      const conditions = conditionsOf(filter);
      const { documents, last, next } = await loadWindowPage(collections.generations, {
        ...ends,
        conditions,
        isUnselective: Object.keys(conditions).length === 1,
        projection: lineProjection,
        maxExamined,
        limit,
      });
      const lines = await mapInStretches(documents, lineOf);
      if (last === null) return { lines, older: null };
      const endedAt = last.endedAt ?? new Date(0);
      const older = String(endedAt.getTime());
      if (next && Number(next.endedAt) !== Number(endedAt)) return { lines, older };
      const together = documents.filter(({ endedAt: at }) => Number(at) === Number(endedAt));
      const tied = collections.generations.find(
        { ...conditions, endedAt, _id: { $nin: together.map(({ _id }) => _id) } },
        { projection: lineProjection, hint: ends.hint, limit: maxTied, maxTimeMS: shortReadMs },
      );
      return { lines: [...lines, ...(await tied.toArray()).map(lineOf)], older };
    },

    async listOfAccount(accountId, filter, before, limit) {
      const { documents, last } = await loadWindowPage(collections.generations, {
        match: { accountId, ...(before !== null && { _id: { $lt: before } }) },
        sort: { accountId: 1, _id: -1 },
        hint: 'history',
        conditions: filter,
        isUnselective: Object.keys(filter).length === 0,
        projection: lineProjection,
        maxExamined,
        limit,
      });
      return { lines: documents.map(lineOf), older: last && last._id };
    },

    async countByCustomer(filter) {
      const { match, sort, hint } = endsOf(filter, null);
      const looked = [{ $match: match }, { $sort: sort }, { $limit: maxExamined }];
      const grouped = [
        { $match: conditionsOf(filter) },
        {
          $group: {
            _id: '$accountId',
            count: { $sum: 1 },
            costCredits: { $sum: '$costCredits' },
            refundedCredits: { $sum: '$refundedCredits' },
            lastEndedAt: { $max: '$endedAt' },
          },
        },
        { $sort: { count: -1, _id: 1 } },
      ];
      const customers = await collections.generations
        .aggregate<
          Omit<CustomerEnds, 'accountId' | 'lastEndedAt'> & { _id: string; lastEndedAt: Date }
        >([...looked, ...grouped], { hint, maxTimeMS: shortReadMs })
        .toArray();
      const older = await collections.generations.findOne(match, {
        projection: { _id: 1 },
        sort,
        skip: maxExamined,
        hint,
        maxTimeMS: shortReadMs,
      });
      return {
        customers: customers.map(({ _id, lastEndedAt, ...counts }) => ({
          accountId: _id,
          ...counts,
          lastEndedAt: lastEndedAt.getTime(),
        })),
        isWhole: older === null,
      };
    },

    async findOwners(accountIds) {
      const filter = { _id: { $in: [...new Set(accountIds)] } };
      const projection = { email: 1, 'keys.id': 1, 'keys.name': 1, 'keys.lastFour': 1 } as const;
      const options = {
        projection,
        hint: '_id_',
        limit: filter._id.$in.length,
        maxTimeMS: shortReadMs,
      };
      const documents = await accounts.collection.find(filter, options).toArray();
      return new Map(documents.map(({ _id, email, keys }) => [_id, { email, keys }]));
    },

    async findWorks(generationIds) {
      const filter = { _id: { $in: [...new Set(generationIds)] } };
      const options = { projection: workProjection, hint: '_id_', maxTimeMS: shortReadMs };
      const documents = await collections.generations.find(filter, options).toArray();
      return new Map(documents.map(generationCodec.fromPart).map(({ id, ...work }) => [id, work]));
    },
  };
}

/** The newest ends, by an index with that order. */
function endsOf({ status, since = 1 }: LineFilter, before: string | null) {
  const until = before === null ? {} : { $lt: new Date(Number(before)) };
  return {
    match: { status, endedAt: { $gte: new Date(since), ...until } },
    sort: { endedAt: -1 } as const,
    hint: 'ended',
  };
}

function conditionsOf(filter: LineFilter): Filter<StoredGeneration> {
  const { status, model, code, provider, accountId } = filter;
  return {
    status,
    ...(model !== undefined && { model }),
    ...(code !== undefined && { 'failure.code': code as FailureCode }),
    ...(provider !== undefined && { 'attempts.provider': provider }),
    ...(accountId !== undefined && { accountId }),
  };
}
