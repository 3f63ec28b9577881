import type { IExecuteFunctions } from 'n8n-workflow';
import { apiError, problemOf } from '../api/apiError';
import { type ApiResponse, request } from '../api/request';
import { generationIn, idWithin } from '../api/responses';
import { isSuccess, isTransient, waitSeconds } from '../api/retryAfter';
import type { GenerationRecord } from '../generated/contract';
import { pause } from '../waiting/pause';
import type { CreateRequest } from './createBody';

/** Maximum attempts of an unanswered create, all with the same key. */
const attempts = 4;

/** Refusals that say nothing about an earlier attempt, because they precede the lookup of the key. */
const beforeTheKey = new Set([401, 403, 429]);

/**
 * Creates a generation, and repeats the identical request with the identical key if the response is missing or not the
 * service's: the service makes and charges one generation per key. Waits follow the server's hints, until the deadline;
 * a limit (429) is waited out any number of times, because nothing was created.
 * @param plan.deadline End of the wait, in ms since the epoch.
 * @throws NodeApiError; if the outcome stays unknown it names the key, even after a stop, and any id found in a partial
 * response. StoppedError, if nothing was created.
 */
export async function sendCreate(
  context: IExecuteFunctions,
  { path, body }: CreateRequest,
  plan: { idempotencyKey: string; itemIndex: number; deadline: number },
  signal?: AbortSignal,
): Promise<GenerationRecord> {
  const { idempotencyKey, itemIndex, deadline } = plan;
  let unanswered = 0;
  let isUnknown = false;
  let generationId: string | undefined;
  for (;;) {
    const response = await request(context, { method: 'POST', path, body, idempotencyKey }, signal);
    // Before checking for a stop: a paid generation is reported in any case.
    const created = isSuccess(response) ? generationIn(response.body) : undefined;
    if (created !== undefined) return created;
    if (isSuccess(response)) generationId ??= idWithin(response.body);
    const isLimited = response.status === 429;
    if (!isLimited) unanswered += 1;
    isUnknown = isTransient(response)
      ? isUnknown || mayHaveCreated(response)
      : isUnknown && leavesOpen(response);
    const wait = waitSeconds(response, isLimited ? 2 : unanswered - 1);
    const hasRoom = Date.now() + wait * 1000 < deadline && unanswered < attempts;
    if (!isTransient(response) || !hasRoom) {
      const createdNothing = response.status === 0 && !isUnknown;
      const about = {
        itemIndex,
        createdNothing,
        ...(isUnknown && { idempotencyKey, generationId }),
      };
      throw apiError(context.getNode(), response, about);
    }
    const place = { itemIndex, idempotencyKey, generationId };
    await pause(wait, signal).catch((stop: unknown) => {
      throw isUnknown ? apiError(context.getNode(), response, place) : stop;
    });
  }
}

/** Whether a refusal says nothing about an earlier attempt. A response without a code is not from the API. */
function leavesOpen(response: ApiResponse): boolean {
  return beforeTheKey.has(response.status) || problemOf(response).code === undefined;
}

function mayHaveCreated(response: ApiResponse): boolean {
  if (response.status === 429 || response.wasNeverSent === true) return false;
  return problemOf(response).code !== 'model_unavailable';
}
