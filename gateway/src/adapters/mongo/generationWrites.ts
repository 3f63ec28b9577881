import { hostname } from 'node:os';
import type { mongo } from 'mongoose';
import type { GenerationEnd, GenerationMove } from '../../application/ports/database.ts';
import type { GenerationChange } from '../../application/ports/generations.ts';
import { modelBreakerKey } from '../../domain/breaker.ts';
import type { Attempt, Generation, TimelineEvent } from '../../domain/generation.ts';
import { fromDocument, toDocument, toFields, type StoredDocument } from './collections.ts';

/**
 * Marks for the indexes, after a change of the step: `open` while unfinished, `waits` while it waits for
 * a place or room, and the places that it takes.
 */
const marksOf = (change: GenerationChange) => ({
  open: change.step !== 'ended',
  waits: change.step === 'waiting' || change.step === 'parked',
  place: placeOf(change),
  routePlace: routePlaceOf(change),
});

/**
 * The provider whose place a generation takes after a change of its step, for the index by which places
 * are counted and polls are claimed: the one that it is with, or that it was called to.
 */
function placeOf({ step, attempts = [], place = null }: GenerationChange): string | null {
  if (step === 'submitting' || step === 'submitted') return attempts.at(-1)?.provider ?? null;
  return step === 'ready' ? place : null;
}

/** The same of a route with limits of its own. */
function routePlaceOf({ step, attempts = [], routePlace = null }: GenerationChange): string | null {
  if (step === 'ready') return routePlace;
  const last = step === 'submitting' || step === 'submitted' ? attempts.at(-1) : undefined;
  return last?.limited ? modelBreakerKey(last) : null;
}

/** The writer, by which staff distinguish processes. */
const writer = `${hostname()} ${process.pid}`;
const signed = (event: TimelineEvent): TimelineEvent => ({ ...event, process: writer });

const maxUpstreamIds = 20;

/** Words in the providers' handles, for the index by which staff find a generation by a task id. */
export function upstreamIdsOf(attempts: readonly Pick<Attempt, 'operation'>[]): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (found.size >= maxUpstreamIds) return;
    if (typeof value === 'string' && value.length <= 200) found.add(value);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
  };
  for (const { operation } of attempts) collect(operation);
  return [...found];
}

/**
 * A provider's handle as it is stored: as JSON text, which nothing converts or interprets. The release before
 * reads `operation`, which cannot hold a name with a NUL.
 */
export function handleFields(operation: unknown): { operation: unknown; handle?: string } {
  if (operation === null || operation === undefined) return { operation: null };
  const handle = JSON.stringify(operation);
  const fields = handle.includes('\\u0000') ? { operation: null } : toFields({ operation });
  return { operation: fields['operation'], handle };
}

/** An attempt as it was before `handleFields`. */
function withHandle(stored: Attempt & { handle?: string }): Attempt {
  const { handle, ...attempt } = stored;
  return handle === undefined ? attempt : { ...attempt, operation: JSON.parse(handle) as unknown };
}

/** The generation that a document was made from. */
export function generationOf(document: object): Generation {
  const generation = fromDocument<Generation>(document);
  return { ...generation, attempts: generation.attempts.map(withHandle) };
}

/** A generation as it is stored. */
export function generationDocument(generation: Generation): StoredDocument {
  const timeline = generation.timeline.map(signed);
  const { attempts } = attemptFields(generation.attempts);
  return { ...toDocument({ ...generation, timeline }), attempts, ...marksOf(generation) };
}

/**
 * Attempts, and apart from them what the providers answered (`answers.<number>`): polls read the
 * attempts often, and a write without the answers leaves those that are there.
 */
function attemptFields(all: readonly Attempt[]) {
  const answers: Record<string, unknown> = {};
  const attempts = all.map(({ answers: own = {}, operation, ...attempt }) => {
    for (const [of, answer] of Object.entries(own)) {
      answers[`answers.${String(attempt.number)}.${of}`] = toFields(answer);
    }
    return { ...toFields(attempt), ...handleFields(operation) };
  });
  return { attempts, ...answers };
}

/**
 * The update that writes a change; its timeline is added to what is there, once: the update may be sent
 * again where its first answer was lost.
 */
export function changeOf(change: GenerationChange): mongo.UpdateFilter<StoredDocument> {
  const { timeline, attempts, ...fields } = change;
  const marks = change.step === undefined ? {} : marksOf(change);
  const upstreamIds = upstreamIdsOf(change.attempts ?? []);
  const upstream = upstreamIds.length > 0 ? { upstreamIds } : {};
  return {
    $set: { ...toFields(fields), ...marks, ...upstream, ...(attempts && attemptFields(attempts)) },
    ...(timeline && {
      $addToSet: { timeline: { $each: timeline.map((event) => toFields(signed(event))) } } as never,
    }),
  };
}

/** A change under the lease of a generation: it misses when the epoch is another or it has ended. */
export function generationUpdate({ generation, change, onlyPastDeadline }: GenerationEnd): {
  filter: mongo.Filter<StoredDocument>;
  update: mongo.UpdateFilter<StoredDocument>;
} {
  const past = onlyPastDeadline === true ? { $expr: { $lte: ['$deadlineAt', '$$NOW'] } } : {};
  const { id, epoch } = generation;
  return { filter: { _id: id, open: true, epoch, ...past }, update: changeOf(change) };
}

/** Not held by any process, by the database's own clock. */
export const unheld = { $expr: { $lte: ['$leaseUntil', '$$NOW'] } };

/** A move to another step: it misses when the generation is elsewhere by now, or held. */
export function generationMove({ generationId, from, change }: GenerationMove): {
  filter: mongo.Filter<StoredDocument>;
  update: mongo.UpdateFilter<StoredDocument>;
} {
  return {
    filter: { _id: generationId, open: true, step: from, ...unheld },
    // A holder whose lease has lapsed must not write on from the step that it knew.
    update: { ...changeOf(change), $inc: { epoch: 1 } as never },
  };
}
