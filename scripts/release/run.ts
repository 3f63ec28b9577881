import { spawnSync } from 'node:child_process';
import { errorCodeOf } from '@framegate/contract';

/** This machine lacks a program that a part of the release needs. */
export class MissingToolError extends Error {
  override readonly name = 'MissingToolError';
}

/** The environment, without the variables set by the npm that runs the release. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|config_local_prefix|config_workspace)/.test(name),
  ),
);

/**
 * Runs a program to its end.
 * @returns Its standard output, without trailing white space.
 * @throws MissingToolError if there is no such program, Error with the end of its output if it fails.
 */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (errorCodeOf(error) === 'ENOENT') throw new MissingToolError(program);
  if (error) throw error;
  if (status !== 0) {
    const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-20).join('\n');
    throw new Error(`${program} ${args.join(' ')} failed with status ${status}:\n${end}`);
  }
  return stdout.trimEnd();
}

/**
 * Makes a check for a program.
 * @param command Succeeds only if the program works.
 * @param name Its name in messages.
 * @returns Runs the command in a folder.
 * @throws MissingToolError if that fails.
 */
export function needsProgram(command: readonly string[], name: string): (folder: string) => void {
  const [program = '', ...args] = command;
  return (folder) => {
    try {
      run(program, args, folder);
    } catch {
      throw new MissingToolError(name);
    }
  };
}
