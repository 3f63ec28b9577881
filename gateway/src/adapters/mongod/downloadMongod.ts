import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addToCache, type MongodOrProblem } from './mongodCache.ts';
import { downloaderEnvironment, type ReadVariable } from './downloaderEnvironment.ts';
import { runProgram } from './runProgram.ts';

/** A release of the yearly series with the longest support, not the package's short-lived default. */
const VERSION = '8.0.20';
/** From the start of the downloader to the first byte of the server's answer. */
const FIRST_BYTE_MS = 15_000;
const TOTAL_MS = 15 * 60_000;

/**
 * MongoDB's own download into the cache, about 80 to 200 MB, by mongodb-memory-server-core, which
 * knows the archive for each system and checks its sum. TLS certificates are checked: the package
 * does so only when npm's `strict-ssl` is set in the environment.
 */
export function downloadMongod(
  cacheDir: string,
  readVariable: ReadVariable,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  return addToCache(cacheDir, signal, async (folder) => {
    const env = {
      ...downloaderEnvironment(readVariable),
      npm_config_strict_ssl: 'true',
      MONGOMS_DOWNLOAD_DIR: folder,
      MONGOMS_VERSION: VERSION,
      MONGOMS_SYSTEM_BINARY: '',
      MONGOMS_MD5_CHECK: 'true',
      MONGOMS_MAX_RETRIES: '1',
    };
    const script = fileURLToPath(new URL('./downloadMongodProcess.ts', import.meta.url));
    const end = await runProgram(process.execPath, [script, folder, VERSION], {
      env,
      timeoutMs: TOTAL_MS,
      firstOutputMs: FIRST_BYTE_MS,
      signal,
    });
    if (end.problem === 'silent') return { problem: `no answer within ${FIRST_BYTE_MS / 1000} s` };
    if (end.problem === 'timed out') return { problem: `not done in ${TOTAL_MS / 60_000} minutes` };
    const path = end.stdout.trim().split('\n').at(-1);
    if (end.code !== 0 || path === undefined) {
      return { problem: end.stderr.trim().split('\n').at(-1) || 'the downloader failed' };
    }
    if (path.startsWith(folder)) return { path };
    // It was in a cache of the package's own, which stays as it is.
    const copy = join(folder, 'mongod');
    await copyFile(path, copy);
    return { path: copy };
  });
}
