import type { mongo } from 'mongoose';
import type { GenerationChange, GenerationEnd } from '../../application/ports.ts';
import type { Generation } from '../../domain/generation.ts';
import { toDocument, toFields, type StoredDocument } from './documents.ts';

/** Marks for the partial indexes: `open` while unfinished, `waits` while it waits for a place or room. */
const marksOf = ({ step }: GenerationChange) => ({
  open: step !== 'ended',
  waits: step === 'waiting' || step === 'parked',
});

/** A generation as it is stored. */
export function generationDocument(generation: Generation): StoredDocument {
  return { ...toDocument(generation), ...marksOf(generation) };
}

/** The update that writes a change; its timeline is added to what is there. */
export function changeOf(change: GenerationChange): mongo.UpdateFilter<StoredDocument> {
  const { timeline, ...fields } = change;
  const marks = change.step === undefined ? {} : marksOf(change);
  return {
    $set: { ...toFields(fields), ...marks },
    ...(timeline && { $push: { timeline: { $each: timeline.map(toFields) } } as never }),
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
