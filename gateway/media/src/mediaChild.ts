import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildLimits } from './childLimits.ts';
import { claimIn, finishedIn, parseResponse, replyTo } from './childResponse.ts';
import type { ManifestSigner } from './manifestSigner.ts';
import type { ChildResponse, MediaTask } from './mediaTask.ts';

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
 * The only parts of the contract that the child needs, with its package description: a link in `node_modules`
 * leads there.
 */
const contractFiles = ['package.json', 'src/mediaFormats.ts', 'src/fileKinds.ts'].map((file) =>
  join(rootFolder, 'shared', file),
);

/**
 * The children's own cache of code compiled by Node, because starting takes most of their time. Node uses it
 * only where they may write.
 */
const compiledFolder = join(rootFolder, 'node_modules/.cache/framegate-media');

/** JavaScript memory of the child in MB; a file header that needs more ends the child. */
const heapMb = 192;
/** Longest time for a child to end by itself, in ms. */
const endMs = 5_000;
/** Limit on the characters of a response, more than any verdict needs. */
const maxResponseBytes = 65_536;

/**
 * Memory in MB that Node 24 reserves for compiled code without using it but that counts towards RLIMIT_DATA,
 * less the memory of Node's own program, which does not count.
 */
const reservedMb = 450;

/** The end of a child: with a response, at a time limit, or otherwise without a response. */
export type ChildEnd =
  | { kind: 'answered'; response: ChildResponse }
  | { kind: 'outOfProcessorTime' }
  | { kind: 'outOfTime' }
  | { kind: 'noResponse'; how: string };

/** A child process for tasks, one after another. */
export interface MediaChild {
  /** Number of tasks so far. */
  readonly files: number;
  /** Whether it has ended. */
  readonly isOver: boolean;
  /**
   * Performs a task.
   * @param last Ends the child with the task, and waits for its end.
   * @param signer Signs the manifest requested by the task.
   * @throws Error if it could not be started; the signal's reason if aborted. The child has then ended.
   */
  run(
    task: MediaTask,
    signal: AbortSignal,
    last?: 'last',
    signer?: ManifestSigner,
  ): Promise<ChildEnd>;
  /** Lets it end by itself once it has no task. */
  end(): void;
}

/** Runs a child process for a single task. @throws Like `MediaChild.run`. */
export async function runMediaChild(
  task: MediaTask,
  limits: ChildLimits,
  signal: AbortSignal,
  signer?: ManifestSigner,
): Promise<ChildEnd> {
  signal.throwIfAborted();
  return startMediaChild(flagsFor(task), limits).run(task, signal, 'last', signer);
}

/**
 * Starts a limited child process: processor time and memory by the system's limits (if a POSIX shell can set them),
 * time and output by us, files by Node's permission model. It receives none of our settings, and its other output is
 * discarded. Without a task it does not keep this process alive.
 */
export function startMediaChild(flags: readonly string[], limits: ChildLimits): MediaChild {
  const [command, ...args] = limitedNode([...flags, entry], limits);
  const env = { NODE_COMPILE_CACHE: compiledFolder };
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  // Resolves with the response if more tasks follow, otherwise with how the child ended.
  let current = Promise.withResolvers<string | { response: string }>();
  let [files, output, isBusy, isLast, isLate] = [0, '', false, false, false];
  let over: string | null = null;
  let signs: ManifestSigner | null = null;
  let timer: NodeJS.Timeout | undefined;
  const kill = () => child.kill('SIGKILL');
  const limitTime = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      kill();
    }, ms);
  };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
    if (!isBusy || output.length > maxResponseBytes) kill();
    else if (output.endsWith('\n')) handleMessage(output);
  });
  const handleMessage = (line: string) => {
    const claim = signs && claimIn(line);
    if (signs && claim) {
      child.stdin.write(`${JSON.stringify(replyTo(claim, signs))}\n`);
      // A file has one manifest.
      [output, signs] = ['', null];
    } else if (finishedIn(line) && !parseResponse(line)) {
      limitTime(limits.postersMs ?? limits.wallMs);
    } else if (isLast) {
      child.stdin.end();
    } else {
      current.resolve({ response: line });
    }
  };
  // Writes to an ended child fail; `close` reports its end.
  child.stdin.on('error', () => undefined);
  child.once('spawn', () => lowerPriority(child.pid, limits.niceness));
  child.once('error', (error) => {
    over = String(error);
    current.reject(error);
  });
  child.once('close', (code, by) => {
    over = by ?? `exit status ${String(code)}`;
    current.resolve(over);
  });
  const keepAlive = (method: 'ref' | 'unref') => {
    for (const each of [child, child.stdin, child.stdout] as (ChildProcess | Socket)[]) {
      each[method]();
    }
  };
  current.promise.catch(() => undefined);
  keepAlive('unref');

  return {
    get files() {
      return files;
    },
    get isOver() {
      return over !== null;
    },
    async run(task, signal, last, signer) {
      signal.throwIfAborted();
      if (files > 0) current = Promise.withResolvers();
      if (over !== null) return { kind: 'noResponse', how: over };
      files += 1;
      [output, isBusy, isLast, signs] = ['', true, last !== undefined, signer ?? null];
      keepAlive('ref');
      limitTime(limits.wallMs);
      signal.addEventListener('abort', kill, { once: true });
      try {
        child.stdin.write(`${JSON.stringify(task)}\n`);
        const how = await current.promise;
        signal.throwIfAborted();
        const finished = finishedIn(output);
        if (finished) {
          const noPosters = `their child ended by ${typeof how === 'string' ? how : 'itself'}`;
          return {
            kind: 'answered',
            response: parseResponse(output) ?? { ...finished, noPosters },
          };
        }
        if (how === 'SIGXCPU') return { kind: 'outOfProcessorTime' };
        if (isLate) return { kind: 'outOfTime' };
        const response =
          typeof how === 'string' && how !== 'exit status 0' ? null : parseResponse(output);
        if (response) return { kind: 'answered', response };
        return { kind: 'noResponse', how: typeof how === 'string' ? how : 'no JSON' };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', kill);
        isBusy = false;
        keepAlive('unref');
      }
    },
    end: () => {
      child.stdin.end();
      const late = setTimeout(kill, endMs).unref();
      child.once('close', () => clearTimeout(late));
    },
  };
}

/** Sets the limits, then replaces itself by Node; `|| :` ignores a limit that cannot be set. */
const script = [
  'ulimit -c 0 || :',
  'ulimit -S -t "$1" || :',
  'ulimit -d "$2" || :',
  'shift 2',
  'exec "$@"',
].join('\n');

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

/** Node's flags for a task's child. @param room The folder of its files, which need not exist yet. */
export function flagsFor(task: MediaTask, room = dirname(task.path)): string[] {
  const folder = join(room, '*');
  const compiled = join(compiledFolder, '*');
  const reads = [...codeFolders.map((each) => join(each, '*')), ...contractFiles, compiled, folder];
  const looksOnly =
    task.task === 'inspect' && task.preview === undefined && task.target === undefined;
  const writes = [compiled, ...(looksOnly ? [] : [folder])];
  const needsAddons =
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
    ...(needsAddons ? ['--allow-addons'] : []),
  ];
}

function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined && niceness > 0) setPriority(pid, niceness);
  } catch {
    // It has already ended, or the system does not allow it: priority is best effort.
  }
}
