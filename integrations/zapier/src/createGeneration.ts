import { canonicalJson } from './canonicalJson.ts';
import { failure, followGeneration } from './followGeneration.ts';
import type { GenerationReading } from './generation.ts';
import { placeAfter } from './generationKeys.ts';
import { openMemory } from './memory.ts';
import { type Attempt, type ObtainedGeneration, obtainGeneration } from './obtainGeneration.ts';
import type { Order } from './order.ts';
import { type Memo, startFrom } from './runMemo.ts';
import type { Step } from './step.ts';

/** Six days: shorter than the API keeps an Idempotency-Key and files (7 days). */
const memoSeconds = 6 * 24 * 3600;

/** Result of a run. */
export interface CreateResult {
  /** The last reading: completed, or unfinished if the order does not wait. */
  reading: GenerationReading;
  /** Whether an earlier run has the same result; null if unknown for lack of z.cache. */
  isShared: boolean | null;
}

/**
 * Makes one generation per run and waits for it, although Zapier may run a step again at any moment, in a new process
 * and without notice: a memo is written before the POST, and the key is derived from the inputs, the day and a number,
 * so that even without any memory the POST is a replay.
 * @throws Zapier's errors, see call.ts, maxCredits.ts and followGeneration.ts.
 */
export async function createGeneration(begun: Step, order: Order): Promise<CreateResult> {
  const { path, body, requestKey = '' } = order;
  const hasRequestKey = order.requestKey !== undefined;
  const step = { ...begun, mayChargeAgain: !hasRequestKey };
  // The digest includes no key and no account: a run continues after its key was replaced.
  const digest = step.z.hash('sha256', canonicalJson({ path, body, requestKey }), 'hex', 'utf8');
  const memory = openMemory<Memo>(step.z, `generation:${digest}`, memoSeconds);
  const nowMs = step.nowMs();
  const memo = await memory.recall();
  const start = startFrom(memo, nowMs, hasRequestKey, (place) => placeAfter(place, nowMs));
  const attempt = { step, order, digest, memory, start };
  try {
    return await finish(attempt, await obtainGeneration(attempt));
  } catch (error) {
    if (step.dueAt !== null) await noteWaiting(attempt, step.dueAt);
    throw error;
  }
}

/** Waits for the end if the order requires it, and records that the result was delivered. */
async function finish({ step, order, memory, start }: Attempt, obtained: ObtainedGeneration) {
  const { place, isShared } = obtained;
  const reading = order.shouldWait
    ? await followGeneration(step, obtained.reading)
    : obtained.reading;
  const { id, status } = reading.record;
  const { startedAt, deliveredAt: atMs = step.nowMs() } = start;
  // A failed one was refunded: the next run may try again immediately.
  const state = status === 'failed' ? 'failed' : 'delivered';
  await memory.remember({ place, startedAt, id, state, atMs });
  if (status === 'failed') throw failure(step, reading);
  return { reading, isShared };
}

/** A run that waits and never returns was abandoned; one that ended with an error may be replayed. */
async function noteWaiting({ memory }: Attempt, atMs: number): Promise<void> {
  const memo = await memory.recall();
  if (memo?.state === 'working') await memory.remember({ ...memo, state: 'waiting', atMs });
}
