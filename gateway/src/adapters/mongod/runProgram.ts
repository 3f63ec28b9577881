import { spawn } from 'node:child_process';

/** How a program ended. */
export interface ProgramEnd {
  /** Exit status; null when it was killed or could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Why it could not be started or was ended by us; undefined when it ended on its own. */
  problem: 'not found' | 'not executable' | 'timed out' | 'silent' | undefined;
}

interface RunLimits {
  /** Longest run in ms; then the program is killed. */
  timeoutMs: number;
  /** Longest wait for its first output in ms; then it is killed. */
  firstOutputMs?: number;
  /** Its whole environment; none unless given: ours has secrets. */
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program to its end and collects its output.
 * @throws The signal's reason when it is aborted; the program is killed then.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  limits: RunLimits,
): Promise<ProgramEnd> {
  limits.signal?.throwIfAborted();
  const end = await new Promise<ProgramEnd>((resolve) => {
    const result: ProgramEnd = {
      code: null,
      signal: null,
      stdout: '',
      stderr: '',
      problem: undefined,
    };
    const child = spawn(command, args, {
      env: { ...limits.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Closing the pipes too: a grandchild that lives on may hold them open.
    const kill = (problem?: ProgramEnd['problem']): void => {
      result.problem = problem;
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const abort = (): void => {
      kill();
    };
    const timeout = setTimeout(kill, limits.timeoutMs, 'timed out');
    const silence =
      limits.firstOutputMs === undefined
        ? undefined
        : setTimeout(kill, limits.firstOutputMs, 'silent');
    limits.signal?.addEventListener('abort', abort);
    const finish = (): void => {
      clearTimeout(timeout);
      clearTimeout(silence);
      limits.signal?.removeEventListener('abort', abort);
      resolve(result);
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      clearTimeout(silence);
      result.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      clearTimeout(silence);
      result.stderr += text;
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      result.problem = error.code === 'ENOENT' ? 'not found' : 'not executable';
      finish();
    });
    child.once('close', (code, signal) => {
      result.code = code;
      result.signal = signal;
      finish();
    });
  });
  limits.signal?.throwIfAborted();
  return end;
}
