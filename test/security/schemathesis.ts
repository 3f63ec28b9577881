import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const version = '4.32.5';

/** How a program ended, and what it wrote. */
export interface ProgramEnd {
  status: number | null;
  output: string;
}

/** Runs a program to its end; both of its outputs together. */
export async function runProgram(program: string, args: readonly string[]): Promise<ProgramEnd> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [status, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, output: out + err };
}

/**
 * The path of schemathesis, a fuzzer that reads OpenAPI documents: the one that SCHEMATHESIS names, or
 * this version from PyPI in an environment of its own in the cache folder, made once.
 * @throws Error with the installer's own words when it cannot be installed.
 */
export async function findSchemathesis(): Promise<string> {
  const given = process.env['SCHEMATHESIS'];
  if (given) return given;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'framegate', `schemathesis-${version}`);
  const program = join(folder, 'bin', 'schemathesis');
  const whole = join(folder, 'installed');
  if (existsSync(whole)) return program;
  // Its scripts name the folder, so it is made in place, and counts once the mark is there.
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await must('python3', ['-m', 'venv', folder]);
  const pip = join(folder, 'bin', 'pip');
  await must(pip, ['install', '--quiet', `schemathesis==${version}`]);
  await mkdir(whole);
  return program;
}

async function must(program: string, args: readonly string[]): Promise<void> {
  const { status, output } = await runProgram(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`);
}
