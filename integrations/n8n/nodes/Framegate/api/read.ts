import type { ModelEntry } from '../generated/contract';
import { pause } from '../waiting/pause';
import { apiError } from './apiError';
import { type Caller, request } from './request';
import { modelsIn } from './responses';
import { isSuccess, isTransient, waitSeconds } from './retryAfter';

/** Attempts of a read without a deadline, and the longest wait between two, in seconds. */
const attempts = 4;
const maxWaitSeconds = 30;

/** Purpose of a read. */
export interface ReadContext {
  itemIndex?: number;
  generationId?: string;
  /** How long limits and restarts are waited out, in ms since the epoch; without it, a few times. */
  deadline?: number;
}

/**
 * Reads from the API. Limits and restarts are waited out for as long as the server asks, as are bodies from elsewhere.
 * @param take Returns the response in a body, or undefined if it has none.
 * @throws NodeApiError for an unsuccessful response.
 */
export async function read<T>(
  caller: Caller,
  path: string,
  take: (body: unknown) => T | undefined,
  { deadline, ...place }: ReadContext = {},
  signal?: AbortSignal,
): Promise<T> {
  for (let before = 0; ; before += 1) {
    const response = await request(caller, { method: 'GET', path }, signal);
    const value = isSuccess(response) ? take(response.body) : undefined;
    if (value !== undefined) return value;
    const wait = waitSeconds(response, before);
    const room =
      deadline === undefined
        ? before + 1 < attempts && wait <= maxWaitSeconds
        : Date.now() + wait * 1000 < deadline;
    if (!isTransient(response) || !room) throw apiError(caller.getNode(), response, place);
    await pause(wait, signal);
  }
}

/** The models that the key may use, in the API's order. */
export async function readModels(caller: Caller, signal?: AbortSignal): Promise<ModelEntry[]> {
  return read(caller, '/models', modelsIn, {}, signal);
}
