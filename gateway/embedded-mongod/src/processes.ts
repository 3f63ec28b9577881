import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { EmbeddedDatabaseError } from './errors.ts';

/** Result of a program. */
export interface ProgramEnd {
  /** Exit status; null if it was killed or could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Why it could not be started or was killed by us; undefined if it ended by itself. */
  problem: 'notFound' | 'notExecutable' | 'timedOut' | 'silent' | undefined;
}

interface RunLimits {
  /** Maximum run time in ms; then the program is killed. */
  timeoutMs: number;
  /** Maximum wait for the first output in ms; then the program is killed. */
  firstOutputMs?: number;
  /** Complete environment; empty by default, because that of this process contains secrets. */
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program and collects its output.
 * @throws The signal's reason if it is aborted, after killing the program.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { timeoutMs, firstOutputMs, env, signal }: RunLimits,
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const end = await new Promise<ProgramEnd>((resolve) => {
    let problem: ProgramEnd['problem'];
    const options = { env: { ...env }, maxBuffer: Infinity };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      clearTimeout(timeout);
      clearTimeout(silence);
      signal?.removeEventListener('abort', kill);
      const hasStarted = child.pid !== undefined;
      if (!hasStarted) problem = error?.code === 'ENOENT' ? 'notFound' : 'notExecutable';
      const code = hasStarted ? child.exitCode : null;
      resolve({ code, signal: child.signalCode, stdout, stderr, problem });
    });
    const kill = (): void => {
      child.kill('SIGKILL');
      // Child processes of the program may keep the pipes open.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const killFor = (reason: ProgramEnd['problem']): void => {
      problem = reason;
      kill();
    };
    const timeout = setTimeout(killFor, timeoutMs, 'timedOut');
    const silence =
      firstOutputMs === undefined ? undefined : setTimeout(killFor, firstOutputMs, 'silent');
    signal?.addEventListener('abort', kill);
    child.stdin?.end();
    for (const output of [child.stdout, child.stderr]) {
      output?.once('data', () => clearTimeout(silence));
    }
  });
  signal?.throwIfAborted();
  return end;
}

/** Snapshot of a running process. */
export interface RunningProcess {
  pid: number;
  /** Start time, which distinguishes processes with the same pid: letters, digits, dots. */
  startText: string;
  /** Command line, separated by spaces. */
  command: string;
}

/** Reads a process from /proc (Linux) or ps (elsewhere); undefined if it has ended. */
export function readProcess(pid: number): Promise<RunningProcess | undefined> {
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

async function readFromProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const [stat, commandLine, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // proc(5): after the name in brackets come the state (field 3), the number of threads (20) and the start
    // time (22). A zombie has ended, but its files and sockets stay open while it has other threads.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
    if (ticks === undefined || (state === 'Z' && threads <= 1) || state === 'X') return undefined;
    const command = commandLine.replaceAll('\0', ' ').trim();
    return { pid, startText: `${boot.slice(0, 8)}.${ticks}`, command };
  } catch {
    return undefined;
  }
}

async function readFromPs(pid: number): Promise<RunningProcess | undefined> {
  const columns = ['stat=', 'lstart=', 'command='].flatMap((column) => ['-o', column]);
  const args = ['-ww', ...columns, '-p', `${pid}`];
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  const { stdout } = await runProgram('ps', args, { timeoutMs: 5_000, env });
  // "Ss   Sat Nov 21 06:15:00 2026     /usr/bin/mongod --dbpath ..."
  const match = /^[ \t]*(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/m.exec(stdout);
  const [, state, startText, command] = match ?? [];
  if (startText === undefined || command === undefined || state?.startsWith('Z')) return undefined;
  return { pid, startText: startText.replaceAll(/[^A-Za-z0-9]+/g, '.'), command: command.trim() };
}

/** Whether this process, not a later one with the same pid, is still running. */
export async function isRunning({
  pid,
  startText,
}: Pick<RunningProcess, 'pid' | 'startText'>): Promise<boolean> {
  return (await readProcess(pid))?.startText === startText;
}

/**
 * Creates a file name that identifies this process: pid, start time and a random part.
 * @throws EmbeddedDatabaseError if the list of processes cannot be read.
 */
export async function makeProcessMark(): Promise<string> {
  const self = await readProcess(process.pid);
  if (self === undefined) {
    throw new EmbeddedDatabaseError('The list of running processes cannot be read (/proc or ps).');
  }
  return `${self.pid}-${self.startText}-${randomBytes(6).toString('hex')}`;
}

/** Whether the process of this mark is still running; false for other names. */
export async function isMarkAlive(mark: string): Promise<boolean> {
  const [, pid, startText] = /^(\d+)-([A-Za-z0-9.]+)-[0-9a-f]{12}$/.exec(mark) ?? [];
  return startText !== undefined && (await isRunning({ pid: Number(pid), startText }));
}
