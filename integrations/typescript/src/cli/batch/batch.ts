import type { CompletedGeneration } from '../../client.ts';
import { FramegateError, GenerationFailedError } from '../../errors.ts';
import type { Framegate } from '../../node/index.ts';
import { exitCodeOf } from '../exitCodes.ts';
import { CommandError } from '../io.ts';
import type { Order } from './plan.ts';
import type { BatchState } from './state.ts';

/** Concurrent rows: as many as an account usually runs, plus as many that wait for a slot. */
const atOnce = 20;

/** Dependencies of a batch. */
interface BatchWork {
  framegate: Framegate;
  state: BatchState;
  orders: readonly Order[];
  signal: AbortSignal;
  /** How long each row may take, in ms. */
  timeoutMs: number | undefined;
  /** Downloads the files of a row; returns their paths. */
  download(order: Order, generation: CompletedGeneration): Promise<string[]>;
  /** Receives each row that has ended. */
  onEnded(order: Order, ended: { id: string; files?: string[]; error?: string }): void;
}

/**
 * Makes and downloads the missing rows. A failed generation is recorded, and the others continue; trouble that would
 * affect them as well ends the batch once the current rows have ended.
 * @throws CommandError with the number of missing rows and the matching exit code.
 */
export async function runBatch({ orders, ...work }: BatchWork): Promise<void> {
  const waiting = orders.filter(({ hash }) => !isEnded(work.state, hash));
  const troubles: unknown[] = [];
  async function workOff(): Promise<void> {
    while (troubles.length === 0) {
      const order = waiting.shift();
      if (!order) return;
      await makeRow(work, order).catch((error: unknown) => troubles.push(error));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, workOff));
  const missing = orders.filter(({ hash }) => !isEnded(work.state, hash)).length;
  const failed = orders.filter(({ hash }) => work.state.row(hash)?.status === 'failed').length;
  if (missing > 0) {
    const [trouble] = troubles;
    const why = trouble instanceof Error ? trouble.message : String(trouble);
    const goOn = 'Run the same command again to continue; nothing is charged twice.';
    const message = `${missing} of ${orders.length} rows are not finished yet. ${goOn} ${why}`;
    throw new CommandError(exitCodeOf(trouble), message);
  }
  if (failed > 0) {
    throw new CommandError(
      1,
      `${failed} of ${orders.length} rows failed and were refunded; the same command with --retry-failed creates them again.`,
    );
  }
}

/** Whether a row is finished. */
export function isEnded(state: BatchState, hash: string): boolean {
  const row = state.row(hash);
  return row?.status === 'failed' || row?.files !== undefined;
}

async function makeRow(work: Omit<BatchWork, 'orders'>, order: Order): Promise<void> {
  const { framegate, state, signal, timeoutMs } = work;
  const { hash, body, kind } = order;
  const { attempt = 1 } = state.row(hash) ?? {};
  let noting = Promise.resolve();
  try {
    const options = {
      idempotencyKey: state.idempotencyKeyOf(hash),
      signal,
      timeoutMs,
      onUpdate: ({ id }: { id: string }) => {
        if (state.row(hash)?.id === id) return;
        noting = state.record(hash, { attempt, id, status: 'ordered' });
        // The next note reports a full disk.
        noting.catch(() => undefined);
      },
    };
    const generation: CompletedGeneration = await (kind === 'videos'
      ? framegate.videos.createAndWait(body, options)
      : framegate.images.createAndWait(body, options));
    const files = await work.download(order, generation);
    await state.record(hash, { attempt, id: generation.id, status: 'completed', files });
    work.onEnded(order, { id: generation.id, files });
  } catch (error) {
    await noting;
    if (!(error instanceof GenerationFailedError)) {
      setLineName(error, order);
      throw error;
    }
    const { id } = error.generation;
    await state.record(hash, { attempt, id, status: 'failed', error: error.message });
    work.onEnded(order, { id, error: error.message });
  }
}

/** Adds the table's line to the message of an error. */
function setLineName(error: unknown, { line }: Order): void {
  if (error instanceof FramegateError) error.message = `Line ${line}: ${error.message}`;
}
