import type { Erasure } from '../../../application/ports/erasure.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, text, textOrNull, time, timeOrNull } from './schema.ts';

/** How far erased accounts' generations are erased, by account id. */
export const erasureSchema = documentSchema('erasures', {
  _id: text,
  /** In generations. */
  count,
  failed: count,
  /** In passes. */
  tries: count,
  retryAfter: textOrNull,
  after: text,
  startedAt: time,
  doneAt: timeOrNull,
  /** When it may be claimed: the end of a claim or of a rest, null when it is done. */
  dueAt: timeOrNull,
  /** Names the claim under which a process works on it. */
  claim: textOrNull,
}).index({ dueAt: 1 }, { name: 'due', partialFilterExpression: { dueAt: { $gt: new Date(0) } } });

export const erasureCodec = codecOf<Erasure & { claim: string | null }, 'dueAt'>()(erasureSchema);
