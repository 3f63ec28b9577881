import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { GenerationRecord } from '../generated/contract';
import { requireRunning } from '../waiting/pause';
import type { CreateRequest } from './createBody';
import { asNodeError, errorItem } from './errorItem';
import { attemptKey, executionKey } from './idempotencyKey';
import { type CreateOptions, createOptionsOf } from './itemOptions';
import { createPriceGuard, type PriceGuard } from './maxCredits';
import { noteCreated } from './noteCreated';
import { inOrder, planItems } from './planItems';
import type { ItemContext } from './parseValues';
import { sendCreate } from './sendCreate';
import { type CreatedItem, settle, withOthers } from './settle';
import { present, type Run, startRun, waitAndPresent } from './waitAndPresent';

/** Minimum time that a create request may wait for a limit or a restart, in seconds. */
const createSeconds = 60;

interface PlannedCreate {
  itemIndex: number;
  request: CreateRequest;
  options: CreateOptions;
  key: string;
}

interface AcceptedItem extends PlannedCreate, CreatedItem {
  record: GenerationRecord;
  deadline: number;
}

/**
 * Creates a generation per item and waits for all of them together. Everything is checked before the first create
 * request; creates are sent one after the other, so that a refusal ends the spending; then all are polled in parallel,
 * so that only the slowest one determines the duration.
 * @param readRequest Reads the request of an item.
 */
export async function createGenerations(
  context: IExecuteFunctions,
  readRequest: (place: ItemContext) => CreateRequest,
): Promise<INodeExecutionData[]> {
  const run = startRun(context);
  const guard = createPriceGuard(context, run.signal);
  const { planned, refused } = await planItems(context, (place) =>
    planCreate(place, readRequest(place), guard),
  );
  const accepted: AcceptedItem[] = [];
  for (const item of planned) {
    try {
      accepted.push(await accept(run, item));
    } catch (error) {
      const nodeError = asNodeError(context.getNode(), error, item.itemIndex);
      if (!context.continueOnFail()) throw withOthers(nodeError, accepted, item.itemIndex);
      refused.push(errorItem(nodeError, item.itemIndex));
    }
  }
  const finished = await settle(context, accepted, (item) => finish(run, item));
  return inOrder(refused, finished);
}

async function planCreate(
  place: ItemContext,
  request: CreateRequest,
  guard: PriceGuard,
): Promise<PlannedCreate> {
  const options = createOptionsOf(place);
  const { maxCredits, idempotencyKey } = options;
  if (maxCredits !== undefined) await guard(place, request, maxCredits);
  const { context, itemIndex } = place;
  const key = idempotencyKey ?? executionKey(context, itemIndex, request);
  return { itemIndex, request, options, key };
}

async function accept({ context, signal }: Run, item: PlannedCreate): Promise<AcceptedItem> {
  const { itemIndex, key: idempotencyKey, options } = item;
  const seconds = options.shouldWait
    ? Math.max(options.timeoutSeconds, createSeconds)
    : createSeconds;
  const until = { idempotencyKey, itemIndex, deadline: Date.now() + seconds * 1000 };
  requireRunning(signal);
  const record = await create(context, item.request, until, signal);
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  return { ...item, record, deadline, ...aboutOf(record) };
}

/** Creates, and notes the id where it survives a stopped execution. */
async function create(...request: Parameters<typeof sendCreate>): Promise<GenerationRecord> {
  const [context, , { itemIndex }] = request;
  const record = await sendCreate(...request);
  noteCreated(context, record.id, itemIndex);
  return record;
}

const aboutOf = ({ id, status_url }: GenerationRecord) => ({
  generationId: id,
  statusUrl: status_url,
});

function finish(run: Run, item: AcceptedItem): Promise<INodeExecutionData> {
  const { itemIndex, options, record, deadline } = item;
  if (!options.shouldWait) return present(run, record, { itemIndex, options });
  const { attempts, idempotencyKey: ownKey } = options;
  let attempt = 1;
  return waitAndPresent(run, record, {
    itemIndex,
    options,
    deadline,
    ownKey,
    async recreate({ error }) {
      if (attempt >= attempts || error?.retryable !== true) return undefined;
      attempt += 1;
      const idempotencyKey = attemptKey(item.key, attempt);
      const until = { idempotencyKey, itemIndex, deadline };
      const next = await create(run.context, item.request, until, run.signal);
      // From here on the item is about this attempt, even if it fails.
      Object.assign(item, aboutOf(next));
      return next;
    },
  });
}
