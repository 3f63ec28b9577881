import mongoose, { type mongo } from 'mongoose';
import { dayMs } from '@framegate/contract';
import type {
  FindCostLines,
  GenerationLine,
  HostRequest,
  JobLine,
  StaffGeneration,
  StaffQueries,
} from '../../../application/ports/staffQueries.ts';
import type { Clock } from '../../../application/ports/system.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { isLive } from '../../../domain/accounts/apiKey.ts';
import { openCreditRequest } from '../../../domain/accounts/creditRequest.ts';
import type { CostLine } from '../../../domain/providers/cost.ts';
import { staffRoles } from '../../../domain/staff/staffRights.ts';
import { dayOf } from '../../../domain/time/utcDay.ts';
import type { AccountLookups } from '../accounts/accountLookups.ts';
import { type Collections, type Models, reportMs } from '../collections.ts';
import { parseStoredGeneration } from '../generations/generationWrites.ts';
import { jobIdOf } from '../jobs/jobStore.ts';
import { accountCodec } from '../models/accounts.ts';
import { responsesCodec } from '../models/generationParts.ts';
import { keptCredits, type StoredGeneration } from '../models/generations.ts';
import { ledgerCodec } from '../models/ledger.ts';
import type { Filter } from '../models/statements.ts';
import type { ListOptions } from '../models/typedModel.ts';
import { createChartQueries } from './staffCharts.ts';
import { createEndQueries } from './staffEnds.ts';
import { createListQueries, lineOf, lineProjection } from './staffLists.ts';
import { createPrefixQueries } from './staffPrefixes.ts';

/** The console's queries; each names its index (migrations/). */
export function createStaffQueries(
  models: Pick<Models, 'generations' | 'accounts' | 'ledger'>,
  collections: Pick<Collections, 'generations' | 'jobs' | 'operatorEvents'>,
  lookups: Pick<AccountLookups, 'findAccountIds'>,
  clock: Pick<Clock, 'now'>,
): StaffQueries {
  const { generations, accounts, ledger } = models;
  const { jobs } = collections;
  const findLines = async (
    filter: Filter<StoredGeneration>,
    hint: string,
    options: ListOptions<StoredGeneration>,
  ): Promise<GenerationLine[]> => {
    const cursor = generations.find(filter, lineProjection, { ...options, hint });
    return (await cursor.lean()).map(lineOf);
  };

  return {
    ...createListQueries(models, collections),
    ...createPrefixQueries(models, lookups),
    ...createEndQueries(collections),
    ...createChartQueries(collections),
    async findGeneration(generationId) {
      const options = { projection: { replay: 0 } } as const;
      const document = await generations.collection.findOne({ _id: generationId }, options);
      if (!document) return null;
      const { responses, ...rest } = document;
      const generation: StaffGeneration = parseStoredGeneration({ ...rest, replay: null });
      const attempts = generation.attempts.map((attempt) => {
        const own = responses?.[attempt.number];
        return own ? { ...attempt, responses: responsesCodec.fromStored(own) } : attempt;
      });
      return { ...generation, attempts };
    },
    async listStaff(limit) {
      const ids = await Promise.all(
        staffRoles.map((role) => lookups.findAccountIds('staff', `${role} `)),
      );
      const cursor = accounts.find(
        { _id: { $in: ids.flat() }, staffRole: { $ne: null } },
        { email: 1, staffRole: 1, status: 1 },
        { hint: '_id_', limit },
      );
      const people = (await cursor.lean()).flatMap(({ _id: id, email, staffRole: role, status }) =>
        role ? [{ id, email, role, isActive: status === 'active' }] : [],
      );
      return people.toSorted((a, b) => staffRoles.indexOf(a.role) - staffRoles.indexOf(b.role));
    },
    async listAdmins(limit) {
      const _id = { $in: await lookups.findAccountIds('staff', 'admin ') };
      const admins = { _id, staffRole: 'admin', status: 'active' } as const;
      const cursor = accounts.find(admins, { email: 1 }, { hint: '_id_', limit });
      return (await cursor.lean()).map(({ email }) => email);
    },
    findByConsentReference: (reference, limit) =>
      findLines({ 'realPerson.consentReference': reference }, 'values', { limit }),
    findByOperationId: (taskId, limit) => findLines({ operationIds: taskId }, 'values', { limit }),
    async findByJobId(jobId) {
      const _id = mongoose.mongo.ObjectId.createFromHexString(jobId);
      const job = await jobs.findOne({ _id }, { projection: { data: 1 } });
      const data: unknown = job?.['data'];
      const id = (data as { generationId?: unknown } | undefined)?.generationId;
      return typeof id === 'string' ? id : null;
    },
    async findByLastFour(lastFour, limit) {
      const _id = { $in: await lookups.findAccountIds('keyLastFour', `${lastFour} `) };
      const filter = { _id, 'keys.lastFour': lastFour };
      const cursor = accounts.find(filter, {}, { hint: '_id_', limit });
      return (await cursor.lean()).map(accountCodec.fromStored);
    },
    async findEntries({ id, accountId }) {
      // The partial index of these entries requires the type.
      const filter = { accountId, generationId: { $eq: id, $type: 'string' } } as const;
      const options = { hint: 'accountGenerationKind', sort: { at: 1 } } as const;
      const documents = await ledger.collection.find(filter, options).toArray();
      return documents.map(ledgerCodec.fromStored);
    },
    async findJob(generationId) {
      const document = await jobs.findOne({ _id: jobIdOf(generationId) });
      return document && jobLine(document);
    },
    async listHostRequests(limit) {
      const _id = { $in: await lookups.findAccountIds('requestedHosts', '') };
      const filter = { _id, 'keys.hosts.state': 'requested' } as const;
      const cursor = accounts.find(filter, { email: 1, keys: 1 }, { hint: '_id_', limit });
      return (await cursor.lean()).flatMap((document) =>
        requestsOf(accountCodec.fromPart(document), clock.now()),
      );
    },
    async listCreditRequests(limit) {
      const ids = (await lookups.findAccountIds('creditRequest', '')).slice(0, limit);
      const filter = { _id: { $in: ids } };
      const fields = { email: 1, lots: 1, creditRequest: 1 } as const;
      const cursor = accounts.find(filter, fields, { hint: '_id_', limit });
      return (await cursor.lean())
        .map(accountCodec.fromPart)
        .flatMap((account) => {
          const { id, email, lots } = account;
          const request = openCreditRequest(account);
          return request ? [{ id, email, lots, request }] : [];
        })
        .toSorted((a, b) => a.request.askedAt - b.request.askedAt);
    },
    listUnresolved: (limit) =>
      findLines({ 'attempts.outcome': 'unknown', 'resolution.resolvedAt': null }, 'unresolved', {
        sort: { endedAt: -1 },
        limit,
      }),
  };
}

/** The hosts requested by live keys; a key being replaced remains valid for a while. */
function requestsOf(
  { id, email, keys }: Pick<Account, 'id' | 'email' | 'keys'>,
  nowMs: number,
): HostRequest[] {
  return keys.flatMap((key) =>
    key.hosts
      .filter(({ state }) => state === 'requested' && isLive(key, nowMs))
      .map(({ rule }) => ({ accountId: id, email, keyId: key.id, keyName: key.name, rule })),
  );
}

function jobLine(job: mongo.Document): JobLine {
  const time = (value: unknown) => (value instanceof Date ? value.getTime() : null);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    id: String(job['_id']),
    name: String(job['name']),
    nextRunAt: time(job['nextRunAt']),
    lockedAt: time(job['lockedAt']),
    lastRunAt: time(job['lastRunAt']),
    lastFinishedAt: time(job['lastFinishedAt']),
    failReason: text(job['failReason']),
    lastModifiedBy: text(job['lastModifiedBy']),
  };
}

type CostDocument = Omit<CostLine, 'day'>;

/**
 * Reads the costs of the attempts of all generations that ended on a day, by the index of ends. `charge` is the
 * result of `chargeOf` (domain/providers/cost.ts).
 */
export function createFindCostLines({
  generations,
}: Pick<Collections, 'generations'>): FindCostLines {
  const attempt = (field: string) => `$attempts.${field}`;
  const lastExpression = { $eq: ['$at', '$last'] };
  const delivered = { $and: [{ $eq: ['$status', 'completed'] }, lastExpression] };
  const charge = {
    $switch: {
      branches: [
        { case: { $eq: [attempt('isFree'), true] }, then: 'none' },
        { case: { $eq: [attempt('charged.micros'), 0] }, then: 'none' },
        { case: { $eq: [attempt('outcome'), 'completed'] }, then: 'charged' },
      ],
      default: 'possible',
    },
  };
  return async (dayStartMs) => {
    const cursor = generations.aggregate<
      Pick<CostDocument, 'attempts' | 'micros' | 'credits'> & { _id: CostDocument }
    >(
      [
        {
          $match: {
            status: { $in: ['completed', 'failed'] },
            endedAt: { $gte: new Date(dayStartMs), $lt: new Date(dayStartMs + dayMs) },
          },
        },
        {
          $project: {
            status: 1,
            model: 1,
            costCredits: 1,
            refundedCredits: 1,
            last: { $subtract: [{ $size: '$attempts' }, 1] },
            attempts: { provider: 1, model: 1, outcome: 1, isFree: 1, cost: 1, charged: 1 },
          },
        },
        { $unwind: { path: '$attempts', includeArrayIndex: 'at' } },
        {
          $group: {
            _id: {
              provider: attempt('provider'),
              providerModel: attempt('model'),
              model: '$model',
              charge,
              isDelivered: delivered,
              currency: { $ifNull: [attempt('charged.currency'), attempt('cost.currency'), null] },
            },
            attempts: { $sum: 1 },
            micros: { $sum: { $ifNull: [attempt('charged.micros'), attempt('cost.micros')] } },
            credits: { $sum: { $cond: [lastExpression, keptCredits, 0] } },
          },
        },
        { $sort: { _id: 1 } },
      ],
      { hint: 'ended', maxTimeMS: reportMs },
    );
    const day = dayOf(dayStartMs);
    return (await cursor.toArray()).map(({ _id, attempts, micros, credits }) => {
      const { provider, providerModel, model, isDelivered, currency } = _id;
      const names = { day, provider, providerModel, model, charge: _id.charge };
      return { ...names, isDelivered, currency, attempts, micros, credits };
    });
  };
}
