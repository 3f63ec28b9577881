import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { CommandError } from '../io.ts';

/** The progress of one row. */
interface RowState {
  /** Counts the orders of the row; each has its own key. */
  attempt: number;
  /** The generation, once the create request was answered. */
  id?: string;
  status: 'ordered' | 'completed' | 'failed';
  /** The downloaded files, once all are complete. */
  files?: string[];
  /** Why it failed. */
  error?: string;
}

interface StoredBatch {
  /** Common prefix of all keys: two batches never share one. */
  batch: string;
  rows: Record<string, RowState>;
}

/** State of a batch in a file next to its table, from which it resumes. */
export interface BatchState {
  row(hash: string): RowState | undefined;
  /** The key of a row's create: the same in each run of the batch. */
  idempotencyKeyOf(hash: string): string;
  /** Records a row; resolves once it is on the disk. */
  record(hash: string, row: RowState): Promise<void>;
}

/** Opens the state file, creating it if necessary. @throws CommandError for another kind of file. */
export async function openState(path: string): Promise<BatchState> {
  const stored = await read(path);
  let saving = Promise.resolve();
  const save = async () => {
    await writeFile(`${path}.new`, `${JSON.stringify(stored, null, 2)}\n`, { flush: true });
    await rename(`${path}.new`, path);
  };
  // Before anything is sent: a key lost with its process would be replaced by another one next time.
  await save();
  return {
    row: (hash) => stored.rows[hash],
    idempotencyKeyOf: (hash) => `${stored.batch}-${hash}-${stored.rows[hash]?.attempt ?? 1}`,
    record(hash, row) {
      stored.rows[hash] = row;
      saving = saving.then(save);
      return saving;
    },
  };
}

async function read(path: string): Promise<StoredBatch> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { batch: randomUUID(), rows: {} };
  try {
    const stored = JSON.parse(text) as Partial<StoredBatch> | null;
    if (typeof stored?.batch === 'string' && typeof stored.rows === 'object') {
      return stored as StoredBatch;
    }
  } catch {
    // Reported below.
  }
  throw new CommandError(
    2,
    `Nothing was sent: ${path} is not a batch state file. Without one, finished rows would be charged again.`,
  );
}
