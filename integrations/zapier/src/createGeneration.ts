import { call } from './call.ts';
import { canonicalJson } from './canonicalJson.ts';
import { followGeneration, failure, vanished } from './followGeneration.ts';
import { getGeneration, readGeneration, type Reading } from './generation.ts';
import { openMemory, type Memory } from './memory.ts';
import type { Order } from './order.ts';
import { explained } from './errors.ts';
import { hasRoom, type Step } from './step.ts';

/**
 * What the attempts of one run remember. Generations with the same inputs are numbered: the number
 * is part of the Idempotency-Key, so every attempt finds the same generation, whatever was lost.
 */
interface Memo {
  number: number;
  /** Set while nobody knows whether this number is an earlier run's: it was found without a memo. */
  isGuess?: boolean;
  id?: string;
  /** When the result was handed over, in ms: the next run makes a new generation. */
  handedOverAtMs?: number;
}

/** Longer than the API keeps an Idempotency-Key (7 days): then every number is free again. */
const memoSeconds = 8 * 24 * 3600;

/**
 * A run that begins this soon after the result was handed over is taken for the same one, killed
 * before Zapier had its answer. It is longer than the longest pause between two attempts.
 */
const sameRunMs = 6 * 60_000;

/**
 * Without the memo, a generation older than this belongs to an earlier run: by then every
 * generation has ended (6 hours of waiting and 1 of running, the deadlines of the API).
 */
const earlierRunMs = 8 * 60 * 60_000;

/** How many earlier generations with the same inputs are passed over without the memo. */
const mostPassedOver = 50;

/**
 * Makes one generation per run and waits for it, though Zapier may run a step again at any moment,
 * in a new process and without telling: the idempotency memo is written before the POST, and the
 * key is made of the inputs and a number, so that without any memory the POST is a replay.
 * @returns the last reading: completed, or unfinished when the order does not wait.
 * @throws Zapier's errors, see call.ts and followGeneration.ts.
 */
export async function createGeneration(step: Step, order: Order): Promise<Reading> {
  const { path, body, requestKey = '' } = order;
  // The digest names no key and no account: a run goes on after its key was replaced.
  const digest = step.z.hash('sha256', canonicalJson({ path, body, requestKey }), 'hex', 'utf8');
  const memory = openMemory<Memo>(step.z, `generation:${digest}`, memoSeconds);
  const { number, reading } = await obtain(step, order, digest, memory);
  const last = order.wait ? await followGeneration(step, reading) : reading;
  const { id, status } = last.record;
  const isFailed = status === 'failed';
  // A failed one was refunded: the next run may try again. With a Request Key nothing else may.
  if (isFailed || order.requestKey === undefined) {
    await memory.remember({ number, id, handedOverAtMs: isFailed ? 0 : step.nowMs() });
  }
  if (isFailed) throw failure(step, last);
  return last;
}

/** The memo of this run: the one under way, or the next number; a guess without memory. */
async function begin(step: Step, memory: Memory<Memo>): Promise<Memo> {
  const former = await memory.recall();
  if (former === null) return { number: 0, isGuess: true };
  const { number, handedOverAtMs } = former;
  const isOver = handedOverAtMs !== undefined && step.nowMs() - handedOverAtMs > sameRunMs;
  return isOver ? { number: number + 1 } : former;
}

/** A generation with its number among those of the same inputs. */
interface Obtained {
  number: number;
  reading: Reading;
}

/** The generation of this run: polled when its id is known, else created or replayed. */
async function obtain(
  step: Step,
  { path, body, requestKey }: Order,
  digest: string,
  memory: Memory<Memo>,
): Promise<Obtained> {
  const memo = await begin(step, memory);
  if (memo.id !== undefined) {
    const reading = await getGeneration(step, memo.id);
    if (reading === null) throw vanished(step, memo.id);
    return { number: memo.number, reading };
  }
  const isGuess = memo.isGuess === true;
  for (let number = memo.number; number <= memo.number + mostPassedOver; number += 1) {
    if (!hasRoom(step, 0)) break;
    await memory.remember({ number, ...(isGuess && { isGuess }) });
    const idempotencyKey = `zap-${digest}-${number}`;
    const answer = await call(step, digest, { method: 'POST', path, body, idempotencyKey });
    const created = readGeneration(step, answer);
    const isOld = answer.replayed && created.ageMs > earlierRunMs;
    if (isGuess && isOld && requestKey === undefined) continue;
    await memory.remember({ number, id: created.record.id });
    return { number, reading: answer.replayed ? await readAgain(step, created) : created };
  }
  throw explained(
    new step.z.errors.HaltedError(
      'Too many earlier generations have the same inputs. Fill in Request Key with a value that differs for each run, such as the id of the record that started it.',
    ),
  );
}

/** A replayed answer is the first one, byte for byte: what has become of it, a poll tells. */
async function readAgain(step: Step, { record: { id } }: Reading): Promise<Reading> {
  const reading = await getGeneration(step, id);
  if (reading === null) throw vanished(step, id);
  return reading;
}
