import { requireMs } from './core/options.ts';
import { responseOf } from './core/response.ts';
import { FramegateError, GenerationFailedError, WaitTimeoutError } from './errors.ts';
import type { Generation } from './generated/api.ts';
import { loadUsualSeconds } from './models.ts';
import { readGeneration } from './request.ts';
import type { Settings } from './settings.ts';

/** Options of a wait for a generation. */
export interface WaitOptions {
  /** Maximum time from the call, in ms. Default one hour. */
  timeoutMs?: number | undefined;
  /** Ends the wait; the generation continues. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the generation, immediately and after each poll, with its estimated progress. The usual duration of its
   * model is read in the meantime; the first calls do not wait for it.
   */
  onUpdate?: ((generation: Generation, progress: WaitProgress) => void) | undefined;
  /**
   * Receives the progress of the generation, immediately and after each poll, after `onUpdate`, and once the usual
   * duration of its model has been read, which happens once for all waits of the client.
   */
  onProgress?: ((progress: WaitProgress) => void) | undefined;
}

/** The progress of a generation, estimated from the elapsed time. */
export interface WaitProgress {
  generation: Generation;
  /** Since its creation, by the service's clock. */
  elapsedSeconds: number;
  /** Usual duration of the model's generations; undefined if unknown. */
  usualSeconds: number | undefined;
  /** From 0 to 1, which means finished: the elapsed part of the usual time, at most 0.95. */
  share: number | undefined;
  /**
   * Its place among the queued generations that this client waits for, oldest first; 1 is next, undefined once begun.
   */
  position: number | undefined;
}

/** A running wait. */
interface WaitState {
  /** End of the wait, on the platform's clock. */
  deadlineAt: number;
  /** Key of the preceding create, for errors. */
  createdBy?: string | undefined;
}

const usualTimeoutMs = 3_600_000;
/** Interval between two polls without a hint from the service, in ms. */
const usualPollMs = 5_000;

/** End of a wait that begins now, on the platform's clock. */
export function deadlineOf({ platform }: Settings, { timeoutMs }: WaitOptions): number {
  return platform.now() + requireMs('timeoutMs', timeoutMs ?? usualTimeoutMs);
}

/**
 * Polls a generation at the service's intervals until it has completed. Limits and outages are waited out meanwhile.
 * @param first The generation in its current state, if known.
 * @throws GenerationFailedError, WaitTimeoutError, AbortError, ApiError: all with the generation's id.
 */
export async function waitUntilCompleted(
  settings: Settings,
  id: string,
  { deadlineAt, signal, onUpdate, onProgress, createdBy }: WaitOptions & WaitState,
  first?: Generation,
): Promise<Generation> {
  const { platform, queue } = settings;
  const poll = () => pollOnce(settings, id, { signal, deadlineAt, createdBy });
  const over = new AbortController();
  const whileWaiting = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
  let usual: number | undefined;
  const readUsual = async ({ model }: Generation) => {
    usual ??= await loadUsualSeconds(settings, model, whileWaiting);
  };
  try {
    for (let generation = first ?? (await poll()); ; generation = await poll()) {
      const { status, retry_after_seconds: seconds } = generation;
      const position = placeIn(queue, generation);
      onUpdate?.(generation, { ...progressOf(generation, usual), position });
      if (onUpdate && status !== 'completed') void readUsual(generation);
      if (onProgress) {
        await readUsual(generation);
        onProgress({ ...progressOf(generation, usual), position });
      }
      if (status === 'completed') return generation;
      if (status === 'failed') throw new GenerationFailedError(generation, createdBy);
      const left = deadlineAt - platform.now();
      if (left <= 0) throw new WaitTimeoutError(id, undefined, createdBy);
      const pollMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : usualPollMs;
      await platform.sleep(Math.min(pollMs, left), signal);
    }
  } finally {
    over.abort();
    queue.delete(id);
  }
}

/** Notes the state of a queued generation. @returns Its place in the queue, from 1. */
function placeIn(queue: Settings['queue'], generation: Generation): number | undefined {
  const { id, status, created_at: createdAt } = generation;
  if (status !== 'queued') {
    queue.delete(id);
    return undefined;
  }
  const since = `${createdAt} ${id}`;
  queue.set(id, since);
  return [...queue.values()].filter((other) => other <= since).length;
}

/** Reads a generation; trouble that lasts until the deadline ends the wait and becomes its cause. */
async function pollOnce(
  settings: Settings,
  id: string,
  options: WaitState & { signal: AbortSignal | undefined },
): Promise<Generation> {
  try {
    return await readGeneration(settings, id, options);
  } catch (error) {
    if (!(error instanceof FramegateError && error.retryable)) throw error;
    throw new WaitTimeoutError(id, error, options.createdBy);
  }
}

/** @param usualSeconds Usual duration of the model's generations, if known. */
function progressOf(
  generation: Generation,
  usualSeconds: number | undefined,
): Omit<WaitProgress, 'position'> {
  const { created_at: begun, completed_at: ended, status } = generation;
  const until = ended ?? responseOf(generation)?.headers.get('date') ?? '';
  const elapsedSeconds = Math.max(0, (Date.parse(until) - Date.parse(begun)) / 1000) || 0;
  const running =
    usualSeconds === undefined ? undefined : Math.min(0.95, elapsedSeconds / usualSeconds);
  const share = status === 'completed' ? 1 : running;
  return { generation, elapsedSeconds, usualSeconds, share };
}
