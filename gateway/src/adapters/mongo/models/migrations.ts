import { codecOf } from './codec.ts';
import { countIfAny, documentSchema, text, textIfAny, timeIfAny } from './schema.ts';

/** Applied migrations, by version, and their lock. */
export const migrationSchema = documentSchema('migrations', {
  _id: text,
  // Of a migration.
  version: countIfAny,
  name: textIfAny,
  worksWith: countIfAny,
  doneAt: timeIfAny,
  /** Duration in ms. */
  durationMs: countIfAny,
  // Of the lock: its process, null when it is free, and the end of its lease.
  holder: { type: String },
  until: timeIfAny,
});

export const migrationCodec = codecOf<{
  id: string;
  version?: number;
  name?: string;
  worksWith?: number;
  doneAt?: number;
  durationMs?: number;
  holder?: string | null;
  until?: number;
}>()(migrationSchema);
