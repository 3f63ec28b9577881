import { call } from './call.ts';
import { errorCodeOf, markAsUserFacing, refusal } from './errors.ts';
import { generationGone } from './followGeneration.ts';
import {
  getGeneration,
  isGeneration,
  parseGeneration,
  type GenerationReading,
} from './generation.ts';
import { daysOf, idempotencyKey, maxLifeMs, type KeyPlace, placeAfter } from './generationKeys.ts';
import { withModelId } from './listModels.ts';
import { requireWithinMaximum } from './maxCredits.ts';
import type { Memory } from './memory.ts';
import type { Order } from './order.ts';
import { problemsByModel } from './problemsByModel.ts';
import { isOfThisRun, type Memo, type AttemptStart, wasMadeSince } from './runMemo.ts';
import { hasRoom, type Step } from './step.ts';

/** Retention of an Idempotency-Key at the API, in ms. */
const keptMs = 7 * 24 * 3600 * 1000;

/** Maximum earlier generations with the same inputs that one attempt skips. */
const maxSkipped = 50;

/** Dependencies of an attempt. */
export interface Attempt {
  step: Step;
  order: Order;
  /** SHA-256 of path, body and Request Key, in hex. */
  digest: string;
  memory: Memory<Memo>;
  start: AttemptStart;
}

/** The generation of a run, with its place among those of the same inputs. */
export interface ObtainedGeneration {
  place: KeyPlace;
  reading: GenerationReading;
  /** Whether an earlier run has the same generation; null if unknown for lack of z.cache. */
  isShared: boolean | null;
}

/** The generation of this run: polled if its id is known, else created or found by its key. */
export async function obtainGeneration(attempt: Attempt): Promise<ObtainedGeneration> {
  const { step, start } = attempt;
  const { from, id, startedAt, deliveredAt } = start;
  if (id === undefined || from === null) return search(attempt);
  if (deliveredAt === undefined) await note(attempt, from, id);
  step.about = { idempotencyKey: idempotencyKey(attempt.digest, from) };
  const reading = await getGeneration(step, id);
  if (reading === null) throw generationGone(step, id);
  const nowMs = step.nowMs();
  const isForgotten = reading.ageMs > keptMs;
  if (isForgotten || !isOfThisRun(reading, true, true)) {
    const next = isForgotten ? null : placeAfter(from, nowMs);
    return search({ ...attempt, start: { from: next, startedAt: nowMs, isFirst: true } });
  }
  const isMadeSince = wasMadeSince(startedAt, reading, nowMs);
  return { place: from, reading, isShared: deliveredAt !== undefined || !isMadeSince };
}

/** Records the position of this attempt before the API is called. @returns Whether it was stored. */
function note({ step, memory, start }: Attempt, place: KeyPlace, id?: string): Promise<boolean> {
  const { startedAt } = start;
  const idField = id === undefined ? {} : { id };
  return memory.remember({ place, startedAt, state: 'working', atMs: step.nowMs(), ...idField });
}

/**
 * Goes from place to place, past the generations of earlier runs, to this run's generation or to a free place.
 * Generations are created only at today's places; for other days, it is first checked whether a place is taken.
 */
async function search(begun: Attempt): Promise<ObtainedGeneration> {
  const { step, start } = begun;
  const order = await withModelId(step, begun.order);
  const attempt = { ...begun, order };
  const from = start.from ?? (order.requestKey === undefined ? null : { day: '', number: 0 });
  // An earlier attempt has passed the guard, and may have made the generation.
  if (start.isFirst) await requireWithinMaximum(step, order);
  const days = daysOf(step.nowMs(), from);
  const remembers = await note(attempt, from ?? { day: days[0] ?? '', number: 0 });
  let attempts = 0;
  for (const day of days) {
    const isToday = day === days.at(-1);
    for (let number = day === from?.day ? from.number : 0; ; number += 1) {
      if (attempts > maxSkipped || !hasRoom(step, 0)) throw tooMany(step);
      attempts += 1;
      const place = { day, number };
      if (!isToday && !(await isTaken(attempt, place))) break;
      const obtained = await take(attempt, place);
      if (obtained === null) continue;
      await note(attempt, place, obtained.reading.record.id);
      return { ...obtained, place, isShared: obtained.isShared && (remembers ? true : null) };
    }
    // An attempt refused now, for example by a rate limit, need not check this day again.
    await note(attempt, { day: days.at(-1) ?? '', number: 0 });
  }
  throw tooMany(step);
}

/** The generation at a place, created now if there is none; null if it belongs to an earlier run. */
async function take(
  attempt: Attempt,
  place: KeyPlace,
): Promise<Omit<ObtainedGeneration, 'place'> | null> {
  const { step, order, digest, start } = attempt;
  const { path, body, requestKey } = order;
  const key = idempotencyKey(digest, place);
  step.about = wasAsked(start, place) ? { idempotencyKey: key } : {};
  const request = { method: 'POST', path, body, idempotencyKey: key } as const;
  const response = await call(step, digest, request, {
    isSound: (each) => isGeneration(each),
    isCreate: true,
    problems: () => problemsByModel(step, order),
  });
  const created = parseGeneration(response);
  step.about = { generationId: created.record.id, idempotencyKey: key };
  if (!response.isReplayed) return { reading: created, isShared: false };
  const hasRequestKey = requestKey !== undefined;
  const isMadeSince = wasMadeSince(start.startedAt, created, step.nowMs());
  if (!isMadeSince && !hasRequestKey && created.ageMs > maxLifeMs) return null;
  // A replayed response is the first one, byte for byte: a poll returns the current state.
  const reading = await getGeneration(step, created.record.id);
  if (reading === null) throw generationGone(step, created.record.id);
  if (!isOfThisRun(reading, isMadeSince, hasRequestKey)) return null;
  // A recently failed one was already skipped if another one follows it.
  const next = { ...place, number: place.number + 1 };
  const isFailed = reading.record.status === 'failed';
  if (isFailed && !isMadeSince && (await isTaken(attempt, next))) return null;
  return { reading, isShared: !isMadeSince };
}

/** Whether an earlier attempt of this run may have created at this place without a response. */
function wasAsked({ isFirst, from }: AttemptStart, { day, number }: KeyPlace): boolean {
  return !isFirst && from?.day === day && from.number === number;
}

/**
 * Whether a place has a generation. Checked with an empty create, which the API refuses in either case and which makes
 * nothing: the key is checked before the content.
 */
async function isTaken({ step, order, digest }: Attempt, place: KeyPlace): Promise<boolean> {
  const { path } = order;
  const empty = { path, body: {}, idempotencyKey: idempotencyKey(digest, place) };
  step.about = {};
  const response = await call(step, digest, { method: 'POST', ...empty }, { expected: [400, 422] });
  const code = errorCodeOf(response);
  if (code === 'idempotency_key_reused') return true;
  if (code === 'invalid_request') return false;
  throw refusal(step, response);
}

function tooMany({ z }: Step): Error {
  return markAsUserFacing(
    new z.errors.HaltedError(
      'Too many earlier generations have the same inputs. Fill in Request Key with a value that differs for each run, such as the ID of the record that started it.',
    ),
  );
}
