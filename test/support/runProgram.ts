import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Exit status and output of a program. */
export interface ProgramEnd {
  status: number | null;
  output: string;
}

/** The folder of a program, and additions to the tests' environment for it. */
export interface ProgramPlace {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end; returns both outputs together. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProgramPlace = {},
): Promise<ProgramEnd> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [status, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, output: out + err };
}

/**
 * Runs a program that must succeed.
 * @returns Its output.
 * @throws Error with its output if its exit status is not 0.
 */
export async function mustRun(
  program: string,
  args: readonly string[],
  place?: ProgramPlace,
): Promise<string> {
  const { status, output } = await runProgram(program, args, place);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`);
  return output;
}
