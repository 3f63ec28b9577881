import { hostname } from 'node:os';
import type { GenerationEnd, GenerationMove } from '../../../application/ports/database.ts';
import type { GenerationChange } from '../../../application/ports/generations.ts';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import {
  type Generation,
  polledFields,
  type PolledGeneration,
} from '../../../domain/generations/generation.ts';
import type { TimelineEvent } from '../../../domain/generations/work.ts';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import {
  attemptCodec,
  eventCodec,
  responseCodec,
  type StoredAttempt,
} from '../models/generationParts.ts';
import { generationCodec, type StoredGeneration } from '../models/generations.ts';
import type { Filter, Update } from '../models/statements.ts';

/** Index fields after a change of step: `open` while unfinished, `waits` while queued, and the slots taken. */
const marksOf = (change: GenerationChange) => ({
  open: change.step !== 'ended',
  waits: change.step === 'waiting' || change.step === 'parked',
  providerSlot: providerSlotOf(change),
  routeSlot: routeSlotOf(change),
});

/**
 * The provider whose slot a generation takes after a change of step, for the index that counts slots and
 * reserves polls: the one that has the generation or whose slot it is assigned.
 */
function providerSlotOf({
  step,
  attempts = [],
  providerSlot = null,
}: GenerationChange): string | null {
  if (step === 'submitting' || step === 'submitted') return attempts.at(-1)?.provider ?? null;
  return step === 'ready' ? providerSlot : null;
}

/** The route with its own limits whose slot a generation takes after a change of step. */
function routeSlotOf({ step, attempts = [], routeSlot = null }: GenerationChange): string | null {
  if (step === 'ready') return routeSlot;
  const last = step === 'submitting' || step === 'submitted' ? attempts.at(-1) : undefined;
  return last?.isLimited ? modelBreakerKey(last) : null;
}

/** The writer, so that staff can tell processes apart. */
const writer = `${hostname()} ${process.pid}`;
const withWriter = (event: TimelineEvent): TimelineEvent => ({ ...event, process: writer });

const maxOperationIds = 20;

/** Search terms from the providers' handles, for staff's search by task id. */
export function operationIdsOf(attempts: readonly Pick<Attempt, 'operation'>[]): string[] {
  const matchedIds = new Set<string>();
  const collect = (value: unknown): void => {
    if (matchedIds.size >= maxOperationIds) return;
    if (typeof value === 'string' && value.length <= 200) {
      matchedIds.add(value);
    } else if (value !== null && typeof value === 'object') {
      for (const each of Object.values(value)) collect(each);
    }
  };
  for (const { operation } of attempts) collect(operation);
  return [...matchedIds];
}

/** A provider's handle as stored: JSON text, because the database cannot hold a name with a NUL. */
export function formatHandle(operation: unknown): string | null {
  return operation === null || operation === undefined ? null : JSON.stringify(operation);
}

function withOperation({ handle, ...attempt }: StoredAttempt): Attempt {
  return { ...attempt, operation: handle === null ? null : JSON.parse(handle) };
}

/** The generation in a stored document. */
export function parseStoredGeneration(document: Omit<StoredGeneration, 'responses'>): Generation {
  const generation = generationCodec.fromStored(document);
  return { ...generation, attempts: generation.attempts.map(withOperation) };
}

type StoredName = Exclude<(typeof polledFields)[number], 'id'>;

/** The fields of `PolledGeneration`; the id is always returned. */
export const pollFields = Object.fromEntries(
  polledFields.flatMap((name) => (name === 'id' ? [] : [[name, 1]])),
) as Readonly<Record<StoredName, 1>>;

/** The polled fields of a document. */
export function polledGenerationOf(
  document: Pick<StoredGeneration, '_id' | StoredName>,
): PolledGeneration {
  const generation = generationCodec.fromPart(document);
  return { ...generation, attempts: generation.attempts.map(withOperation) };
}

/** A generation as it is stored. */
export function generationDocument(generation: Generation): StoredGeneration {
  const timeline = generation.timeline.map(withWriter);
  const { routeSlot, ...fields } = {
    ...generationCodec.toStored({ ...generation, timeline, attempts: [] }),
    attempts: attemptFields(generation.attempts).attempts,
    ...marksOf(generation),
  };
  return { ...fields, ...(routeSlot !== null && { routeSlot }) };
}

/**
 * Attempts, and separately the providers' responses (`responses.<number>`): polls often read the attempts, and a
 * write without responses keeps the stored ones.
 */
export function attemptFields(all: readonly Attempt[]) {
  const responses: Record<`responses.${number}.${string}`, unknown> = {};
  const attempts = all.map(({ responses: own = {}, operation, ...attempt }) => {
    for (const [kind, response] of Object.entries(own)) {
      responses[`responses.${attempt.number}.${kind}`] = responseCodec.toStored(response);
    }
    return attemptCodec.toStored({ ...attempt, handle: formatHandle(operation) });
  });
  return { attempts, ...responses };
}

/**
 * The update that writes a change. Its entries are appended to the stored timeline only once, even if the update is
 * repeated after a lost response.
 */
export function changeOf(change: GenerationChange) {
  const { timeline, attempts, ...fields } = change;
  const marks = change.step === undefined ? {} : marksOf(change);
  const { routeSlot, ...others } = { ...generationCodec.toFields(fields), ...marks };
  const operationIds = operationIdsOf(change.attempts ?? []);
  return {
    $set: {
      ...others,
      ...(typeof routeSlot === 'string' && { routeSlot }),
      ...(operationIds.length > 0 && { operationIds }),
      ...(attempts && attemptFields(attempts)),
    },
    // The index of single values has a key for a null.
    ...(routeSlot === null && { $unset: { routeSlot: true } }),
    ...(timeline && { $addToSet: { timeline: { $each: timeline.map(storedEvent) } } }),
  } satisfies Update<StoredGeneration>;
}

const storedEvent = (event: TimelineEvent) => eventCodec.toStored(withWriter(event));

/** An update with its conditions. */
export interface GuardedUpdate {
  filter: Filter<StoredGeneration>;
  update: Update<StoredGeneration>;
}

/** Condition that no process holds it, by the database's own clock. */
export const leaseExpired = { $expr: { $lte: ['$leaseUntil', '$$NOW'] } };

/** A change under a generation's lease; matches nothing if the epoch differs or the generation has ended. */
export function generationUpdate(end: GenerationEnd): GuardedUpdate {
  const { generation, change, mustBePastDeadline, mustBeUnheld } = end;
  const { id, accountId, epoch, step } = generation;
  const past = mustBePastDeadline === true ? { $expr: { $lte: ['$deadlineAt', '$$NOW'] } } : {};
  const unheld = mustBeUnheld === true ? { step, ...leaseExpired } : {};
  const filter = { _id: id, accountId, open: true, epoch, ...past, ...unheld };
  return { filter, update: changeOf(change) };
}

/** A move to another step; matches nothing if the generation has moved or is held. */
export function generationMove(
  accountId: string,
  { generationId, from, change }: GenerationMove,
): GuardedUpdate {
  return {
    filter: { _id: generationId, accountId, open: true, step: from, ...leaseExpired },
    // A holder whose lease has expired must not continue from the step it knew.
    update: { ...changeOf(change), $inc: { epoch: 1 } },
  };
}
