import type { AttemptCount } from '../../../application/ports/site.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, text, time } from './schema.ts';

/** Counters against guessing and flooding, by the thing counted. */
export const attemptCountSchema = documentSchema('attempts', {
  _id: text,
  count,
  /** When the window of the count ends. */
  endsAt: time,
}).index({ endsAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const attemptCountCodec = codecOf<AttemptCount & { id: string }>()(attemptCountSchema);
