import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, MediaTask } from './mediaTask.ts';

const entry = fileURLToPath(new URL('./mediaProcess.ts', import.meta.url));
const mediaFolder = join(import.meta.dirname, '..');
const rootFolder = join(mediaFolder, '../..');

/** Folders that the child may read in addition to the task's own: its code and the libraries. */
const codeFolders = [
  import.meta.dirname,
  join(mediaFolder, 'node_modules'),
  join(mediaFolder, '../node_modules'),
  join(rootFolder, 'node_modules'),
];
/**
 * The one part of the contract that the child needs, with the description of its package: a link in
 * `node_modules` leads there.
 */
const contractFiles = ['package.json', 'src/mediaFormats.ts'].map((file) =>
  join(rootFolder, 'shared', file),
);

/**
 * The children's own cache of code compiled by Node, because starting takes most of their time. Node uses it
 * only where they may write.
 */
const compiledFolder = join(rootFolder, 'node_modules/.cache/framegate-media');

/** JavaScript memory of the child in MB; a file header that needs more ends the child. */
const heapMb = 192;
/** Limit on standard output, more than any verdict needs, in bytes. */
const maxAnswerBytes = 65_536;

/** Limits of one child process. */
export interface ChildLimits {
  /** Processor time in seconds, including about a third of a second to start. */
  processorSeconds: number;
  /** Wall time in ms, far more than a valid file needs on a busy machine. */
  wallMs: number;
  /**
   * Limit of its resident memory in MB, including about 75 MB of Node's own. A child that needs more ends
   * without an answer.
   */
  memoryMb: number;
  /** Reduction of its priority. */
  niceness: number;
}

/**
 * Limits for a customer's file: about three seconds, enough to decode a picture of 40 megapixels (two seconds
 * at 16 bits, interlaced). It must not delay other work of the machine.
 */
export const inputLimits: ChildLimits = {
  processorSeconds: 4,
  wallMs: 60_000,
  memoryMb: 700,
  niceness: 5,
};

/** Limits for an uploaded picture, which is also re-encoded: that takes three times as long. */
export const uploadLimits: ChildLimits = {
  processorSeconds: 12,
  wallMs: 60_000,
  memoryMb: 600,
  niceness: 5,
};

/** Limits for a provider's file, which is paid for and may have a gigabyte. */
export const outputLimits: ChildLimits = {
  processorSeconds: 60,
  wallMs: 120_000,
  memoryMb: 1_500,
  niceness: 0,
};

/** Limits for posters, for which no result may wait. */
export const posterLimits: ChildLimits = {
  processorSeconds: 6,
  wallMs: 5_000,
  memoryMb: 600,
  niceness: 5,
};

/**
 * Limits for a frame of a finished video: the last frame requires decoding from the key frame before it, about
 * five seconds for 15 s in 1080p.
 */
export const frameLimits: ChildLimits = {
  processorSeconds: 20,
  wallMs: 60_000,
  memoryMb: 600,
  niceness: 5,
};

/**
 * Memory in MB that Node 24 reserves for compiled code without using it but that counts towards RLIMIT_DATA,
 * less the memory of Node's own program, which does not count.
 */
const reservedMb = 450;

/** The end of a child: with an answer, at a time limit, or otherwise without an answer. */
export type ChildEnd =
  | { kind: 'answered'; answer: ChildAnswer }
  | { kind: 'out of processor time' }
  | { kind: 'out of time' }
  | { kind: 'without an answer'; how: string };

/**
 * Runs one bounded child process for a task: processor time and memory by the system's limits (where a POSIX
 * shell can set them), time and output by us, files by Node's permission model. It receives none of our
 * settings, and its other output is discarded.
 * @throws Error if it could not be started; the signal's reason if aborted.
 */
export async function runMediaChild(
  task: MediaTask,
  limits: ChildLimits,
  signal: AbortSignal,
): Promise<ChildEnd> {
  signal.throwIfAborted();
  const [command, ...args] = commandFor(task, limits);
  const env = { NODE_COMPILE_CACHE: compiledFolder };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  let bytes = 0;
  const ended = { late: false };
  const kill = () => child.kill('SIGKILL');
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxAnswerBytes) chunks.push(chunk);
    else kill();
  });
  const timer = setTimeout(() => {
    ended.late = true;
    kill();
  }, limits.wallMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const how = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => lowerPriority(child.pid, limits.niceness));
      child.once('close', (code, by) => {
        resolve(by ?? `exit status ${String(code)}`);
      });
    });
    signal.throwIfAborted();
    if (how === 'SIGXCPU') return { kind: 'out of processor time' };
    if (ended.late) return { kind: 'out of time' };
    const answer = how === 'exit status 0' ? parseAnswer(Buffer.concat(chunks)) : null;
    return answer ? { kind: 'answered', answer } : { kind: 'without an answer', how };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

/** Sets the limits, then replaces itself by Node; `|| :` ignores a limit that cannot be set. */
const script = [
  'ulimit -c 0 || :',
  'ulimit -S -t "$1" || :',
  'ulimit -d "$2" || :',
  'shift 2',
  'exec "$@"',
].join('\n');

function commandFor(task: MediaTask, limits: ChildLimits): [string, ...string[]] {
  return limitedNode([...flagsFor(task), entry, JSON.stringify(task)], limits);
}

/** The command that runs Node under the system's limits for a child, if there is a POSIX shell. */
export function limitedNode(
  args: readonly string[],
  { processorSeconds, memoryMb }: Pick<ChildLimits, 'processorSeconds' | 'memoryMb'>,
): [string, ...string[]] {
  if (process.platform === 'win32') return [process.execPath, ...args];
  const dataKb = (memoryMb + reservedMb) * 1024;
  const limits = [String(processorSeconds), String(dataKb)];
  return ['/bin/sh', '-c', script, 'sh', ...limits, process.execPath, ...args];
}

/** Node's flags for the child of a task. */
export function flagsFor(task: MediaTask): string[] {
  const folder = join(dirname(task.path), '*');
  const compiled = join(compiledFolder, '*');
  const reads = [...codeFolders.map((each) => join(each, '*')), ...contractFiles, compiled, folder];
  const looksOnly = task.task === 'inspect' && task.preview === undefined;
  const writes = [compiled, ...(looksOnly ? [] : [folder])];
  const pictures =
    task.task === 'inspect'
      ? task.type === 'image' || task.preview !== undefined
      : task.task !== 'cleanVideo';
  return [
    `--max-old-space-size=${heapMb}`,
    '--disallow-code-generation-from-strings',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--permission',
    ...reads.map((each) => `--allow-fs-read=${each}`),
    ...writes.map((each) => `--allow-fs-write=${each}`),
    // Only sharp has native code.
    ...(pictures ? ['--allow-addons'] : []),
  ];
}

function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined && niceness > 0) setPriority(pid, niceness);
  } catch {
    // It has already ended, or the system does not allow it: priority is best effort.
  }
}

function parseAnswer(bytes: Buffer): ChildAnswer | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as ChildAnswer;
  } catch {
    return null;
  }
}
