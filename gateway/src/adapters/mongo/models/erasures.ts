import type { Erasure } from '../../../application/ports/erasure.ts';
import { traceKinds } from '../../../domain/accounts/erasure.ts';
import { codecOf } from './codec.ts';
import {
  count,
  documentSchema,
  flag,
  oneOf,
  partSchema,
  text,
  textOrNull,
  time,
  timeOrNull,
} from './schema.ts';

const personSchema = partSchema({
  email: text,
  teams: { type: [String], required: true },
  keyIds: { type: [String], required: true },
});

const tracesSchema = partSchema({ kind: oneOf(traceKinds), count });

/** Progress of the erasure of accounts, by account id. */
export const erasureSchema = documentSchema('erasures', {
  _id: text,
  /** Number of generations. */
  count,
  /** Other removed data. */
  traces: { type: [tracesSchema], required: true },
  /** The person, kept here and nowhere else until a search has found nothing. */
  person: { type: personSchema, default: null },
  /** Whether everything but generations is erased. */
  areTracesGone: flag,
  failed: count,
  /** Number of passes that had failures. */
  attempts: count,
  retryAfter: textOrNull,
  after: text,
  startedAt: time,
  doneAt: timeOrNull,
  /** The last searches since the erasure that found nothing, and that found something. */
  checkedAt: timeOrNull,
  foundAt: timeOrNull,
  /** End of the search for the person; null before the erasure is done, and afterwards. */
  soughtUntil: timeOrNull,
  /** When it may be leased: the end of a lease or of a pause, null when it is done. */
  dueAt: timeOrNull,
  /** The lease under which a process works on it. */
  lease: textOrNull,
})
  .index({ dueAt: 1 }, { name: 'due', partialFilterExpression: { dueAt: { $gt: new Date(0) } } })
  .index(
    { soughtUntil: 1 },
    { name: 'sought', partialFilterExpression: { soughtUntil: { $gt: new Date(0) } } },
  );

export const erasureCodec = codecOf<Erasure & { lease: string | null }, 'soughtUntil'>()(
  erasureSchema,
);
