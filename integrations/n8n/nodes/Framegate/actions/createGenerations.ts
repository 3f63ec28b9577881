import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { GenerationRecord } from '../generated/contract';
import type { CreateRequest } from './createBody';
import { asNodeError, errorItem } from './errorItem';
import { attemptKey, executionKey } from './idempotencyKey';
import { createOptionsOf } from './itemOptions';
import type { CreateOptions } from './itemOptions';
import { createPriceGuard } from './maximumCredits';
import type { PriceGuard } from './maximumCredits';
import { sendCreate } from './sendCreate';
import { settle, withOthers } from './settle';
import type { Created } from './settle';
import { present, startRun, waitAndPresent } from './waitAndPresent';
import type { Run } from './waitAndPresent';

/** How long a create that is not waited for may wait for a limit (429), in seconds. */
const limitedSeconds = 60;

interface Planned {
  itemIndex: number;
  request: CreateRequest;
  options: CreateOptions;
  key: string;
}

interface Accepted extends Planned, Created {
  record: GenerationRecord;
  deadline: number;
}

/**
 * Creates a generation per item and waits for all of them together. Everything is checked before the
 * first create; creates go out one after the other, so that a refusal ends the spending; then all are
 * polled side by side, so that the slowest one decides how long it takes.
 * @param readRequest What to create for an item.
 */
export async function createGenerations(
  context: IExecuteFunctions,
  readRequest: (context: IExecuteFunctions, item: number) => CreateRequest,
): Promise<INodeExecutionData[]> {
  const run = startRun(context);
  const guard = createPriceGuard(context, run.signal);
  const refused: INodeExecutionData[] = [];
  const accepted: Accepted[] = [];
  const refuse = (error: unknown, itemIndex: number) => {
    const shown = asNodeError(context.getNode(), error, itemIndex);
    if (!context.continueOnFail()) throw withOthers(shown, accepted, itemIndex);
    refused.push(errorItem(shown, itemIndex));
  };
  const planned: Planned[] = [];
  for (const itemIndex of context.getInputData().keys()) {
    try {
      planned.push(await plan(context, itemIndex, readRequest(context, itemIndex), guard));
    } catch (error) {
      refuse(error, itemIndex);
    }
  }
  for (const item of planned) {
    try {
      accepted.push(await accept(run, item));
    } catch (error) {
      refuse(error, item.itemIndex);
    }
  }
  const items = await settle(context, accepted, (item) => finish(run, item));
  return [...refused, ...items].sort((a, b) => indexOf(a) - indexOf(b));
}

async function plan(
  context: IExecuteFunctions,
  itemIndex: number,
  request: CreateRequest,
  guard: PriceGuard,
): Promise<Planned> {
  const options = createOptionsOf(context, itemIndex);
  const { maximumCredits, idempotencyKey } = options;
  if (maximumCredits !== undefined) await guard(request, maximumCredits, itemIndex);
  const key = idempotencyKey ?? executionKey(context, itemIndex, request);
  return { itemIndex, request, options, key };
}

async function accept({ context, signal }: Run, item: Planned): Promise<Accepted> {
  const { itemIndex, key: idempotencyKey, options } = item;
  const seconds = options.wait ? options.timeoutSeconds : limitedSeconds;
  const until = { idempotencyKey, itemIndex, deadline: Date.now() + seconds * 1000 };
  const record = await sendCreate(context, item.request, until, signal);
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  return { ...item, record, deadline, generationId: record.id };
}

function finish(run: Run, item: Accepted): Promise<INodeExecutionData> {
  const { itemIndex, options, record, deadline } = item;
  if (!options.wait) return present(run, record, { itemIndex, options });
  let attempt = 1;
  return waitAndPresent(run, record, { itemIndex, options, deadline }, async ({ error }) => {
    if (attempt >= options.attempts || error?.retryable !== true) return undefined;
    attempt += 1;
    const idempotencyKey = attemptKey(item.key, attempt);
    return sendCreate(
      run.context,
      item.request,
      { idempotencyKey, itemIndex, deadline },
      run.signal,
    );
  });
}

function indexOf({ pairedItem }: INodeExecutionData): number {
  return typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
}
