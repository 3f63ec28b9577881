import type { ModelEntry, ModelList } from '../generated/contract';
import { apiError } from './apiError';
import type { Caller } from './request';
import { request } from './request';
import { backoffSeconds, isPassing, retryAfterSeconds } from './retryAfter';
import { pause } from '../waiting/pause';

/** Tries of a read, and the longest wait between two, in seconds. */
const tries = 4;
const longestWaitSeconds = 30;

/**
 * Reads from the API; a limit or a restart is waited out for a little.
 * @throws NodeApiError for an answer that is no success.
 */
export async function read(
  caller: Caller,
  path: string,
  place: { itemIndex?: number; generationId?: string } = {},
  signal?: AbortSignal,
): Promise<unknown> {
  for (let before = 0; ; before += 1) {
    const answer = await request(caller, { method: 'GET', path }, signal);
    if (answer.status === 200) return answer.body;
    const wait = retryAfterSeconds(answer) ?? backoffSeconds(before);
    if (!isPassing(answer) || before + 1 >= tries || wait > longestWaitSeconds) {
      throw apiError(caller.getNode(), answer, place);
    }
    await pause(wait, signal);
  }
}

/** The models that the key may use, in the API's order. */
export async function readModels(caller: Caller, signal?: AbortSignal): Promise<ModelEntry[]> {
  return ((await read(caller, '/models', {}, signal)) as ModelList).data;
}
