import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { CommandError } from '../io.ts';

/** How far one row is. */
interface RowState {
  /** Counts the times that the row was ordered; each has a key of its own. */
  attempt: number;
  /** The generation, once its create was answered. */
  id?: string;
  status: 'ordered' | 'completed' | 'failed';
  /** The files that are there, once all are. */
  files?: string[];
  /** Why it failed. */
  error?: string;
}

interface Stored {
  /** The first part of all keys: two batches never meet. */
  batch: string;
  rows: Record<string, RowState>;
}

/** State of a batch in a file beside its table, by which it resumes where it stopped. */
export interface BatchState {
  row(hash: string): RowState | undefined;
  /** The key of a row's create: the same in each run of the batch. */
  keyOf(hash: string): string;
  /** Notes a row; it is on the disk when this ends. */
  note(hash: string, row: RowState): Promise<void>;
}

/** Opens the state in a file, which is made where there is none. @throws CommandError for another file. */
export async function openState(path: string): Promise<BatchState> {
  const stored = await read(path);
  let saving = Promise.resolve();
  const save = async () => {
    await writeFile(`${path}.new`, `${JSON.stringify(stored, null, 2)}\n`, { flush: true });
    await rename(`${path}.new`, path);
  };
  // Before anything is sent: a key that is lost with its process would be another one next time.
  await save();
  return {
    row: (hash) => stored.rows[hash],
    keyOf: (hash) => `${stored.batch}-${hash}-${stored.rows[hash]?.attempt ?? 1}`,
    note(hash, row) {
      stored.rows[hash] = row;
      saving = saving.then(save);
      return saving;
    },
  };
}

async function read(path: string): Promise<Stored> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { batch: randomUUID(), rows: {} };
  try {
    const stored = JSON.parse(text) as Partial<Stored> | null;
    if (typeof stored?.batch === 'string' && typeof stored.rows === 'object')
      return stored as Stored;
  } catch {
    // Told below.
  }
  throw new CommandError(
    2,
    `Nothing was sent: ${path} is not the state of a batch. Without it, rows that were made would be paid again.`,
  );
}
