import { createHash } from 'node:crypto';
import { isFinal, withoutTexts } from '@framegate/contract';
import { type OperatorGeneration, pageLimits, type QueryOf } from '@framegate/contract/operator';
import { mapInStretches } from '@framegate/limits';
import { formatCursor, parseCursor } from '../../domain/feed/cursor.ts';
import { isId } from '../../domain/ids.ts';
import { invalidFieldRefusal, Refusal, requireGeneration } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { createGeneration } from '../generations/create/createGeneration.ts';
import { pollHintFor, presentGeneration } from '../generations/presentGeneration.ts';
import { estimateCost } from '../generations/reads.ts';
import type { HistoryFilter, HistoryItem } from '../ports/generations.ts';
import { failAndRefund, takeDown } from '../staff/generationActions.ts';
import { requireCustomer } from './accounts.ts';
import type {
  OperatorCall,
  OperatorInput,
  OperatorResponse,
  OperatorUseCases,
} from './operatorCall.ts';
import { parseTime } from './parseTime.ts';
import { scopeOf, writeOnce } from './writeOnce.ts';

type ShownGeneration = Omit<HistoryItem, 'requestId'>;

/** The record of the public API, plus the owner of the generation. */
export function presentGenerationOf(deps: App, item: ShownGeneration): OperatorGeneration {
  const nowMs = deps.clock.now();
  return {
    ...presentGeneration(item, deps.publicUrls, nowMs, pollHintFor(deps, item)),
    account_id: item.accountId,
    channel: item.channel,
    key_id: item.keyId,
    made_by: item.madeBy ?? null,
    mode: item.mode,
    prompt: item.prompt,
  };
}

export const generationUseCases = {
  /** Prices a create request without making it. @throws Refusal */
  async quote(deps, { params: { account_id: accountId }, body }) {
    const { group } = await requireCustomer(deps, accountId);
    const { model, ...estimate } = await estimateCost(deps, { models: null, group }, body);
    const parameters = withoutTexts(estimate.parameters);
    return { object: 'quote', account_id: accountId, model, ...estimate, parameters };
  },

  createVideo: (deps, input) => create(deps, input, '/v1/videos'),
  createImage: (deps, input) => create(deps, input, '/v1/images'),

  /** The generations of an account, newest first. @throws Refusal `account_not_found`, `cursor_invalid`. */
  async listGenerations(
    deps,
    { params: { account_id: accountId }, query: { after, limit = pageLimits.usual, ...query } },
  ) {
    const { model } = query;
    if (model !== undefined && !deps.allModels().some(({ id }) => id === model)) {
      const message = 'No such model exists or has existed.';
      throw invalidFieldRefusal('model', 'invalid_value', message);
    }
    const list = `generations/${accountId}`;
    const before = after === undefined ? null : parseCursor(list, after);
    await requireCustomer(deps, accountId);
    const { generations } = deps.database;
    const { items, older } = await generations.searchHistory(
      accountId,
      filterOf(query),
      before,
      limit,
    );
    return {
      object: 'list',
      data: await mapInStretches(items, (item) => presentGenerationOf(deps, item)),
      has_more: older !== null,
      next: older && formatCursor(list, older),
    };
  },

  /** Reads a generation of any customer. @throws Refusal `generation_not_found`. */
  async getGeneration(deps, { params: { generation_id: generationId } }) {
    return presentGenerationOf(deps, await findGeneration(deps, generationId));
  },

  /** Fails an unfinished generation and refunds it. @throws Refusal */
  async failGeneration(deps, { call, params: { generation_id: generationId }, body: { reason } }) {
    await findGeneration(deps, generationId);
    return writeOnce(deps, call, {
      status: 200,
      reason,
      present: ({ end }) =>
        end?.generation.id === generationId
          ? presentGenerationOf(deps, { ...end.generation, ...end.change })
          : null,
      async run(database) {
        const { status } = await findGeneration(deps, generationId);
        if (isFinal(status)) throw new Refusal('generation_ended');
        await failAndRefund({ ...deps, database }, generationId, { by: auditActor(call), reason });
      },
    });
  },

  /** Takes down the files of a completed generation. @throws Refusal */
  async takeDownGeneration(
    deps,
    { call, params: { generation_id: generationId }, body: { reason } },
  ) {
    const generation = await findGeneration(deps, generationId);
    return writeOnce(deps, call, {
      status: 200,
      reason,
      present: () => null,
      async runIfNeeded(_database, record) {
        const markTakenDown = (id: string, nowMs: number, what: string) => {
          const takenDown = { ...generation, outputsRemovedAt: nowMs, outputsRemoveAt: nowMs };
          const records = record(generation.accountId, presentGenerationOf(deps, takenDown));
          return deps.markTakenDown(id, nowMs, what, records);
        };
        await takeDown({ ...deps, staffWrites: { markTakenDown } }, generationId, auditActor(call));
        return presentGenerationOf(deps, await findGeneration(deps, generationId));
      },
    });
  },
} satisfies Partial<OperatorUseCases>;

/** Creates a generation for a customer, in the channel of the operator's product. @throws Refusal */
async function create(
  deps: App,
  { call, params: { account_id: accountId } }: OperatorInput<'createVideo' | 'createImage'>,
  path: '/v1/videos' | '/v1/images',
): Promise<OperatorResponse> {
  await requireCustomer(deps, accountId);
  return writeOnce(deps, call, {
    status: 202,
    present: ({ insert }) => (insert ? presentGenerationOf(deps, insert) : null),
    async runIfNeeded(database) {
      const { wasReplayed } = await createGeneration(
        { ...deps, database },
        {
          caller: { accountId, keyId: null },
          path,
          // Distinct from the customer's own keys for the same path.
          idempotencyKey: `operator-${createHash('sha256').update(scopeOf(call)).digest('base64url')}`,
          body: call.body,
          requestId: call.requestId,
          callerAddress: call.address,
        },
      );
      // Another process was faster; its response is the first one.
      const first = wasReplayed ? await deps.operatorRequests.find(scopeOf(call)) : null;
      return first ? (JSON.parse(first.body) as object) : undefined;
    },
  });
}

function filterOf({
  key_id: keyId,
  from,
  until,
  ...same
}: QueryOf<'listGenerations'>): HistoryFilter {
  return {
    ...same,
    ...(keyId !== undefined && { keyId }),
    ...(from !== undefined && { from: parseTime('from', from) }),
    ...(until !== undefined && { until: parseTime('until', until) }),
  };
}

async function findGeneration({ database }: App, generationId: string) {
  return requireGeneration(
    isId('gen', generationId) ? await database.generations.find(generationId) : null,
  );
}

const auditActor = ({ key }: OperatorCall) => `operator key ${key.name}`;
