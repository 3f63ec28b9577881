import type { IExecuteFunctions } from 'n8n-workflow';
import { apiError, problemOf } from '../api/apiError';
import { request, type ApiAnswer } from '../api/request';
import { backoffSeconds, isPassing, retryAfterSeconds } from '../api/retryAfter';
import type { GenerationRecord } from '../generated/contract';
import { pause, requireRunning } from '../waiting/pause';
import type { CreateRequest } from './createBody';

/** Tries of a create that is not answered, all with the one key. */
const tries = 4;

/** Refusals that say nothing about a try before them: they come before the key is looked up. */
const beforeTheKey = new Set([401, 403, 429]);

/**
 * Creates a generation, and repeats the very same request with the very same key where the answer is
 * missing: the service makes and charges one generation per key. Waits are as long as the server says,
 * until the deadline; a limit (429) is waited out any number of times, because nothing was created.
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
  let unknown = false;
  for (;;) {
    const answer = await request(context, { method: 'POST', path, body, idempotencyKey }, signal);
    requireRunning(signal);
    if (answer.status === 202) return answer.body as GenerationRecord;
    const limited = answer.status === 429;
    if (!limited) unanswered += 1;
    unknown = isPassing(answer)
      ? unknown || mayHaveCreated(answer)
      : unknown && beforeTheKey.has(answer.status);
    const wait = retryAfterSeconds(answer) ?? backoffSeconds(limited ? 2 : unanswered - 1);
    const room = Date.now() + wait * 1000 < deadline && unanswered < tries;
    if (!isPassing(answer) || !room) {
      const nothingCreated = answer.status === 0 && !unknown;
      const told = { itemIndex, nothingCreated, ...(unknown && { idempotencyKey }) };
      throw apiError(context.getNode(), answer, told);
    }
    await pause(wait, signal);
  }
}

function mayHaveCreated(answer: ApiAnswer): boolean {
  if (answer.status === 429 || answer.neverSent === true) return false;
  return problemOf(answer).code !== 'model_unavailable';
}
