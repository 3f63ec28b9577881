import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { GenerationRecord } from '../generated/contract';
import { limit } from '../waiting/limit';
import { pollUntilEnded } from '../waiting/pollUntilEnded';
import { downloadOutput } from './download';
import { failedGeneration, stillRunning } from './failedGeneration';
import type { ItemOptions } from './itemOptions';
import { presentGeneration } from './presentGeneration';

/** Requests and downloads under way at a time, over all items. */
const mostRequests = 10;
const mostDownloads = 3;

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
  const requestInTurn = limit(mostRequests);
  return { context, signal, requestInTurn, downloadInTurn: limit(mostDownloads) };
}

/** An item that is waited for. */
export interface Awaited {
  itemIndex: number;
  options: ItemOptions;
  /** When the wait ends, in ms since 1970. */
  deadline: number;
  /** The user's own Idempotency Key, if there is one. */
  ownKey?: string | undefined;
  /** Creates the generation's next attempt, or answers undefined when there is none left. */
  recreate?: (failed: GenerationRecord) => Promise<GenerationRecord | undefined>;
}

/**
 * Waits for a generation, makes it again where it failed for a passing reason and the user allows it,
 * and gives the item that is handed on.
 * @throws NodeApiError, NodeOperationError with the generation's id; Stopped.
 */
export async function waitAndPresent(
  run: Run,
  first: GenerationRecord,
  item: Awaited,
): Promise<INodeExecutionData> {
  const { context, signal, requestInTurn: inTurn } = run;
  const { itemIndex, options, deadline } = item;
  const plan = { context, itemIndex, deadline, signal, inTurn };
  let { record, timedOut } = await pollUntilEnded(first, plan);
  while (record.status === 'failed') {
    const next = await item.recreate?.(record);
    if (!next) throw failedGeneration(context.getNode(), record, item);
    ({ record, timedOut } = await pollUntilEnded(next, plan));
  }
  if (timedOut && options.onTimeout === 'stop') {
    throw stillRunning(context.getNode(), record, itemIndex);
  }
  return present(run, record, { itemIndex, options, timedOut });
}

/** The item for a generation as it is now, with its files where they are wanted and there. */
export async function present(
  { context, signal, downloadInTurn: inTurn }: Run,
  record: GenerationRecord,
  item: { itemIndex: number; options: ItemOptions; timedOut?: boolean },
): Promise<INodeExecutionData> {
  const { itemIndex, options, timedOut = false } = item;
  const { binaryField, simplify } = options;
  const json = presentGeneration(record, { simplify, timedOut });
  const pairedItem = { item: itemIndex };
  if (!options.download || record.status !== 'completed') return { json, pairedItem };
  const plan = { context, itemIndex, binaryField, signal, inTurn };
  return { json, binary: await downloadOutput(record, plan), pairedItem };
}
