import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RenderResult } from './spec.ts';

const entry = fileURLToPath(new URL('./child/main.ts', import.meta.url));
/** The gateway's cache of code compiled by Node: without it, starting takes twice the processor time. */
const compiledFolder = fileURLToPath(
  new URL('../../../node_modules/.cache/framegate', import.meta.url),
);

/** Limit of the child's JavaScript heap, in MB, without frames and the encoder's memory. */
const maxHeapMb = 512;
/** Characters kept from the end of the child's error output. */
const maxErrorCharacters = 2_000;

/** Outcome of a child: a result, a crash, a timeout, or stopped by the caller. */
export type ChildOutcome =
  | { kind: 'finished'; result: RenderResult }
  | { kind: 'crashed'; reason: string }
  | { kind: 'timedOut' }
  | { kind: 'stopped' };

/**
 * Renders the request in `folder` in a child process, without this process's environment, for at most
 * `maxRenderMs`. The child exits when this process dies.
 */
export async function runChild(options: {
  folder: string;
  outputFolder: string;
  maxRenderMs: number;
  stop: AbortSignal;
  onStart: (pid: number | undefined) => void;
}): Promise<ChildOutcome> {
  const { folder, outputFolder, maxRenderMs, stop, onStart } = options;
  if (stop.aborted) return { kind: 'stopped' };
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${maxHeapMb}`,
      '--disable-warning=ExperimentalWarning',
      entry,
      folder,
      outputFolder,
    ],
    {
      env: { NODE_COMPILE_CACHE: compiledFolder },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      windowsHide: true,
    },
  );
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorCharacters);
  });
  const ended: ('timedOut' | 'stopped')[] = [];
  const end = (why: 'timedOut' | 'stopped') => {
    ended.push(why);
    child.kill('SIGKILL');
  };
  const onStop = () => {
    end('stopped');
  };
  stop.addEventListener('abort', onStop, { once: true });
  const timer = setTimeout(() => {
    end('timedOut');
  }, maxRenderMs);
  try {
    const exit = new Promise<string>((resolve) => {
      child.once('error', (error) => {
        resolve(error.message);
      });
      child.once('close', (code, signal) => {
        resolve(code === null ? `signal ${String(signal)}` : `exit status ${code}`);
      });
    });
    onStart(child.pid);
    const status = await exit;
    const result = await readOutcome(outputFolder);
    if (result !== null) return { kind: 'finished', result };
    const [why] = ended;
    if (why !== undefined) return { kind: why };
    return { kind: 'crashed', reason: `${status} ${errorOutput}`.trim() };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

/** Reads the child's outcome; null if it is missing or incomplete. */
async function readOutcome(outputFolder: string): Promise<RenderResult | null> {
  try {
    return JSON.parse(await readFile(join(outputFolder, 'outcome.json'), 'utf8')) as RenderResult;
  } catch {
    return null;
  }
}
