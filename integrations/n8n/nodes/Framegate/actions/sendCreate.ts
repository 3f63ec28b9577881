import type { IExecuteFunctions } from 'n8n-workflow';
import { apiError, problemOf } from '../api/apiError';
import { request } from '../api/request';
import { backoffSeconds, isPassing, retryAfterSeconds } from '../api/retryAfter';
import type { GenerationRecord } from '../generated/contract';
import { pause, requireRunning } from '../waiting/pause';
import type { CreateRequest } from './createBody';

/** Tries of a create that is not answered, all with the one key, and the longest wait between two. */
const tries = 4;
const longestWaitSeconds = 30;

/**
 * Creates a generation, and repeats the very same request with the very same key where the answer is
 * missing: the service makes and charges one generation per key. A limit (429) is waited out until
 * the deadline, because nothing was created by it.
 * @param deadline In ms since 1970.
 * @throws NodeApiError; where the outcome stays unknown it names the key. Stopped.
 */
export async function sendCreate(
  context: IExecuteFunctions,
  { path, body }: CreateRequest,
  plan: { idempotencyKey: string; itemIndex: number; deadline: number },
  signal?: AbortSignal,
): Promise<GenerationRecord> {
  const { idempotencyKey, itemIndex, deadline } = plan;
  let unanswered = 0;
  for (;;) {
    const answer = await request(context, { method: 'POST', path, body, idempotencyKey }, signal);
    requireRunning(signal);
    if (answer.status === 202) return answer.body as GenerationRecord;
    const limited = answer.status === 429;
    if (!limited) unanswered += 1;
    const wait = retryAfterSeconds(answer) ?? backoffSeconds(limited ? 2 : unanswered - 1);
    const room = limited
      ? Date.now() + wait * 1000 < deadline
      : unanswered < tries && wait <= longestWaitSeconds;
    if (!isPassing(answer) || !room) {
      const unknown =
        isPassing(answer) && !limited && problemOf(answer).code !== 'model_unavailable';
      throw apiError(context.getNode(), answer, {
        itemIndex,
        ...(unknown && { idempotencyKey }),
      });
    }
    await pause(wait, signal);
  }
}
