import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { mustRun } from '../support/runProgram.ts';

const version = '4.32.5';

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
  // Its scripts contain the folder's name, so it is created in place, and is valid once the mark exists.
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await mustRun('python3', ['-m', 'venv', folder]);
  const pip = join(folder, 'bin', 'pip');
  await mustRun(pip, ['install', '--quiet', `schemathesis==${version}`]);
  await mkdir(whole);
  return program;
}
