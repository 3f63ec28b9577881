import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { GenerationRecord } from '../generated/contract';
import { limit } from '../waiting/limit';
import { pollUntilEnded } from '../waiting/pollUntilEnded';
import { downloadOutput } from './download';
import { failedGeneration, stillRunning } from './failedGeneration';
import type { ItemOptions } from './itemOptions';
import { presentGeneration } from './presentGeneration';

/** Concurrent requests and downloads, across all items. */
const maxRequests = 10;
const maxDownloads = 3;

/** State shared by all items of one run. */
export interface Run {
  context: IExecuteFunctions;
  signal: AbortSignal | undefined;
  requestInTurn: <T>(task: () => Promise<T>) => Promise<T>;
  downloadInTurn: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Starts a run of the node. */
export function startRun(context: IExecuteFunctions): Run {
  const signal = context.getExecutionCancelSignal();
  const requestInTurn = limit(maxRequests);
  return { context, signal, requestInTurn, downloadInTurn: limit(maxDownloads) };
}

/** An item being awaited. */
export interface AwaitedItem {
  itemIndex: number;
  options: ItemOptions;
  /** End of the wait, in ms since the epoch. */
  deadline: number;
  /** The user's own Idempotency Key, if any. */
  ownKey?: string | undefined;
  /** Creates the generation's next attempt; undefined if none is left. */
  recreate?: (failed: GenerationRecord) => Promise<GenerationRecord | undefined>;
}

/**
 * Waits for a generation, repeats it after a temporary failure if the user allows it, and returns the item.
 * @throws NodeApiError, NodeOperationError with the generation's id; StoppedError.
 */
export async function waitAndPresent(
  run: Run,
  first: GenerationRecord,
  item: AwaitedItem,
): Promise<INodeExecutionData> {
  const { context, signal, requestInTurn: inTurn } = run;
  const { itemIndex, options, deadline } = item;
  const plan = { context, itemIndex, deadline, signal, inTurn };
  let { record, hasTimedOut } = await pollUntilEnded(first, plan);
  while (record.status === 'failed') {
    const next = await item.recreate?.(record);
    if (!next) throw failedGeneration(context.getNode(), record, item);
    ({ record, hasTimedOut } = await pollUntilEnded(next, plan));
  }
  if (hasTimedOut && options.onTimeout === 'stop') {
    throw stillRunning(context.getNode(), record, itemIndex);
  }
  return present(run, record, { itemIndex, options, hasTimedOut });
}

/** The item for a generation in its current state, with its files if requested and available. */
export async function present(
  { context, signal, downloadInTurn: inTurn }: Run,
  record: GenerationRecord,
  item: { itemIndex: number; options: ItemOptions; hasTimedOut?: boolean },
): Promise<INodeExecutionData> {
  const { itemIndex, options, hasTimedOut = false } = item;
  const { binaryField, isSimplified } = options;
  const json = presentGeneration(record, { isSimplified, hasTimedOut });
  const pairedItem = { item: itemIndex };
  if (!options.shouldDownload || record.status !== 'completed') return { json, pairedItem };
  const plan = { context, itemIndex, binaryField, signal, inTurn };
  return { json, binary: await downloadOutput(record, plan), pairedItem };
}
