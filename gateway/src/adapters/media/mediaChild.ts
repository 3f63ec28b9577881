import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, MediaTask } from './mediaTask.ts';

const entry = fileURLToPath(new URL('./mediaProcess.ts', import.meta.url));
const gatewayFolder = join(import.meta.dirname, '../../..');

/** What the child may read in addition to the task's own folder: its code, and the libraries. */
const codeFolders = [
  import.meta.dirname,
  join(gatewayFolder, 'node_modules'),
  join(gatewayFolder, '../node_modules'),
];

/**
 * Where the children, and they alone, find what Node compiled before: starting is most of their time.
 * Node uses it only where they may write there.
 */
const compiledFolder = join(gatewayFolder, '../node_modules/.cache/framegate-media');

/** JavaScript memory of the child in MB; a file's head that asks for more ends the child. */
const heapMb = 192;
/** More on standard output than any verdict takes, in bytes. */
const maxAnswerBytes = 65_536;

/** What one child process may use. */
export interface ChildLimits {
  /** Processor time in seconds, its start (about a third of a second) included. */
  processorSeconds: number;
  /** Time in ms, far more than a valid file takes on a busy machine. */
  wallMs: number;
  /**
   * Limit of its resident memory in MB, Node's own 75 MB or so included. A child that needs more ends without an
   * answer.
   */
  memoryMb: number;
  /** By how much its priority is lowered. */
  niceness: number;
}

/**
 * Of a customer's file: about three seconds, in which a picture of 40 megapixels is decoded with room to
 * spare (two seconds at 16 bits, interlaced). It must not hold up what else the machine has to do.
 */
export const inputLimits: ChildLimits = {
  processorSeconds: 4,
  wallMs: 60_000,
  memoryMb: 700,
  niceness: 5,
};

/** Limits for a picture that a customer uploads. It is also encoded anew, which takes three times as long. */
export const uploadLimits: ChildLimits = {
  processorSeconds: 12,
  wallMs: 60_000,
  memoryMb: 600,
  niceness: 5,
};

/** Of a provider's file, which is paid for and may have a gigabyte. */
export const outputLimits: ChildLimits = {
  processorSeconds: 60,
  wallMs: 120_000,
  memoryMb: 1_500,
  niceness: 0,
};

/** Of small pictures of a result, which must wait for none of them. */
export const posterLimits: ChildLimits = {
  processorSeconds: 6,
  wallMs: 5_000,
  memoryMb: 600,
  niceness: 5,
};

/**
 * Of a picture of a finished video that a customer asks for: the last one takes all from the key frame before
 * it on, of 15 s in 1080p about five seconds.
 */
export const frameLimits: ChildLimits = {
  processorSeconds: 20,
  wallMs: 60_000,
  memoryMb: 600,
  niceness: 5,
};

/**
 * Memory in MB that Node 24 reserves for compiled code and never touches, and that RLIMIT_DATA counts all the same,
 * less the memory of Node's own program, which RLIMIT_DATA does not count.
 */
const reservedMb = 450;

/** How a child ended: with an answer, at a limit of time, or in another way without an answer. */
export type ChildEnd =
  | { kind: 'answered'; answer: ChildAnswer }
  | { kind: 'out of processor time' }
  | { kind: 'out of time' }
  | { kind: 'without an answer'; how: string };

/**
 * Runs one child process for a task and bounds it: processor time and memory by the system's limits
 * (where there is a POSIX shell to set them), time and output by us, files by Node's permission model.
 * It has none of our settings, and what it and its libraries say beside the answer is dropped.
 * @throws Error when it could not be started; the signal's reason when it is aborted.
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

/** Sets the limits for the process that Node then takes over; `|| :` where a limit cannot be set. */
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

/** The command that runs Node under the system's limits for a child, where there is a POSIX shell. */
export function limitedNode(
  args: readonly string[],
  { processorSeconds, memoryMb }: Pick<ChildLimits, 'processorSeconds' | 'memoryMb'>,
): [string, ...string[]] {
  if (process.platform === 'win32') return [process.execPath, ...args];
  const dataKb = (memoryMb + reservedMb) * 1024;
  const limits = [String(processorSeconds), String(dataKb)];
  return ['/bin/sh', '-c', script, 'sh', ...limits, process.execPath, ...args];
}

/** Flags of Node for the child of a task. */
export function flagsFor(task: MediaTask): string[] {
  const folder = join(dirname(task.path), '*');
  const compiled = join(compiledFolder, '*');
  const reads = [...codeFolders.map((each) => join(each, '*')), compiled, folder];
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
    // sharp alone has native code.
    ...(pictures ? ['--allow-addons'] : []),
  ];
}

function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined && niceness > 0) setPriority(pid, niceness);
  } catch {
    // It has ended by now, or the system does not allow it: priority is no promise.
  }
}

function parseAnswer(bytes: Buffer): ChildAnswer | null {
  try {
    return JSON.parse(bytes.toString('utf8')) as ChildAnswer;
  } catch {
    return null;
  }
}
