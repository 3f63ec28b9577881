import type { IExecuteFunctions } from 'n8n-workflow';
import { apiError } from '../api/apiError';
import { request } from '../api/request';
import { generationIn } from '../api/responses';
import {
  isSuccess,
  isTransient,
  retryAfterSeconds,
  secondsOf,
  waitSeconds,
} from '../api/retryAfter';
import type { GenerationRecord } from '../generated/contract';
import { pause, requireRunning } from './pause';

/** The result of a wait; `hasTimedOut` if the generation had not ended by then. */
export interface WaitResult {
  record: GenerationRecord;
  hasTimedOut: boolean;
}

/** Conditions of a wait. */
export interface WaitPlan {
  context: IExecuteFunctions;
  itemIndex: number;
  /** End of the wait, in ms since the epoch. */
  deadline: number;
  signal: AbortSignal | undefined;
  /** Limits the requests of all items together. */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Seconds between polls without a server hint. */
const defaultPollSeconds = 5;

/** Whether there is nothing left to wait for. */
const hasEnded = ({ status }: GenerationRecord) => status === 'completed' || status === 'failed';

/**
 * Polls at the server's intervals (retry_after_seconds, Retry-After) until the generation has ended or the time is up.
 * Limits, restarts, lost connections and pages from elsewhere are waited out.
 * @throws NodeApiError for a final response, such as a revoked key; StoppedError.
 */
export async function pollUntilEnded(
  first: GenerationRecord,
  { context, itemIndex, deadline, signal, inTurn }: WaitPlan,
): Promise<WaitResult> {
  let record = first;
  let failedBefore = 0;
  let wait = secondsOf(record.retry_after_seconds) ?? defaultPollSeconds;
  while (!hasEnded(record)) {
    const left = (deadline - Date.now()) / 1000;
    if (left <= 0) return { record, hasTimedOut: true };
    await pause(Math.min(wait, left), signal);
    const path = `/generations/${record.id}`;
    const response = await inTurn(() => request(context, { method: 'GET', path }, signal));
    requireRunning(signal);
    const read = isSuccess(response) ? generationIn(response.body, record.id) : undefined;
    if (read !== undefined) {
      record = read;
      failedBefore = 0;
      wait =
        secondsOf(record.retry_after_seconds) ?? retryAfterSeconds(response) ?? defaultPollSeconds;
    } else if (isTransient(response)) {
      wait = waitSeconds(response, failedBefore);
      failedBefore += 1;
    } else {
      throw apiError(context.getNode(), response, { itemIndex, generationId: record.id });
    }
  }
  return { record, hasTimedOut: false };
}
