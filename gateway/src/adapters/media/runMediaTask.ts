import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';

const run = promisify(execFile);
const child = fileURLToPath(new URL('./mediaProcess.ts', import.meta.url));

/** Time for one task in ms, long past what any lawful file takes on a busy machine. */
const taskMs = 30_000;
/** Where the children find what Node compiled before: starting is most of their time. */
const compiled = join(import.meta.dirname, '../../../../node_modules/.cache/framegate');
/** JavaScript memory of the child in MB; a file's head that asks for more ends the child. */
const heapMb = 192;
/** Children at a time: parsing is short, and pictures take memory. */
const childrenMax = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Does a task on an untrusted file in a child process, without our environment. A file that makes the
 * child crash, run out of memory or take too long is as invalid as one that it says is.
 * @throws Error when the child could not be started or is broken itself; the signal's AbortError.
 */
export async function runMediaTask(task: MediaTask, signal: AbortSignal): Promise<MediaVerdict> {
  if (running >= childrenMax) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await startChild(task, signal);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function startChild(task: MediaTask, signal: AbortSignal): Promise<MediaVerdict> {
  const flags = [`--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning'];
  const options = {
    timeout: taskMs,
    killSignal: 'SIGKILL',
    maxBuffer: 65_536,
    env: { NODE_COMPILE_CACHE: compiled },
    signal,
  } as const;
  try {
    const { stdout } = await run(
      process.execPath,
      [...flags, child, JSON.stringify(task)],
      options,
    );
    return JSON.parse(stdout) as MediaVerdict;
  } catch (error) {
    const ended = error as { signal?: string | null; killed?: boolean };
    if (signal.aborted || !ended.signal) throw error;
    return {
      ok: false,
      reason: ended.killed === true ? 'took too long' : `ended its reader by ${ended.signal}`,
    };
  }
}
