import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RenderResult } from './renderSpec.ts';

const ENTRY = fileURLToPath(new URL('./child/render.ts', import.meta.url));

/** Bound of the child's JavaScript heap, MB; frames and the encoder's memory lie outside it. */
const HEAP_MAX_MB = 512;
/** How much of what the child says on its error output is kept, characters. */
const STDERR_KEPT = 2000;

/** How a child ended: with a result, on its own without one, out of time, or because we ended it. */
export type ChildOutcome =
  | { readonly kind: 'finished'; readonly result: RenderResult }
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'stopped' };

/**
 * Renders a request in a process of its own, at low priority, without our environment, and for no
 * longer than `maxRenderMs`. It ends itself when this process dies.
 */
export async function runRenderChild(options: {
  readonly folder: string;
  readonly outputFolder: string;
  readonly maxRenderMs: number;
  readonly stop: AbortSignal;
  readonly onStart: (pid: number | undefined) => void;
}): Promise<ChildOutcome> {
  const { folder, outputFolder, maxRenderMs, stop, onStart } = options;
  if (stop.aborted) return { kind: 'stopped' };
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${String(HEAP_MAX_MB)}`,
      '--disable-warning=ExperimentalWarning',
      ENTRY,
      folder,
      outputFolder,
    ],
    { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], windowsHide: true },
  );
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-STDERR_KEPT);
  });
  const ended: ('timed-out' | 'stopped')[] = [];
  const end = (why: 'timed-out' | 'stopped') => {
    ended.push(why);
    child.kill('SIGKILL');
  };
  const onStop = () => {
    end('stopped');
  };
  stop.addEventListener('abort', onStop, { once: true });
  const timer = setTimeout(() => {
    end('timed-out');
  }, maxRenderMs);
  try {
    const exit = new Promise<string>((resolve) => {
      child.once('error', (error) => {
        resolve(error.message);
      });
      child.once('close', (code, signal) => {
        resolve(code === null ? `signal ${String(signal)}` : `exit status ${String(code)}`);
      });
    });
    onStart(child.pid);
    const status = await exit;
    const result = await readOutcome(outputFolder);
    if (result !== null) return { kind: 'finished', result };
    const [why] = ended;
    if (why !== undefined) return { kind: why };
    return { kind: 'crashed', reason: `${status} ${said}`.trim() };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

/** The child's own word on how it went; none, or half of one, when it was cut short. */
async function readOutcome(outputFolder: string): Promise<RenderResult | null> {
  try {
    return JSON.parse(
      await readFile(path.join(outputFolder, 'outcome.json'), 'utf8'),
    ) as RenderResult;
  } catch {
    return null;
  }
}
