import { explainMongodExit } from './explainMongodExit.ts';
import { parseMongodVersion, refuseVersion } from './mongodVersion.ts';
import { runProgram } from './runProgram.ts';

/** `mongod --version` answers in well under a second; a first run from a slow disk may take longer. */
const VERSION_TIMEOUT_MS = 20_000;

/**
 * Runs `mongod --version`: is this a server that runs here and that Framegate works with?
 * @returns Its version, or why it cannot be used, in words that follow the path and a colon.
 */
export async function inspectMongod(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ version: string } | { problem: string }> {
  const end = await runProgram(path, ['--version'], { timeoutMs: VERSION_TIMEOUT_MS, signal });
  if (end.problem === 'timed out') {
    return { problem: `"--version" had no answer in ${VERSION_TIMEOUT_MS / 1000} s` };
  }
  if (end.problem !== undefined) {
    return { problem: 'cannot be run here (missing, not executable, or made for another system)' };
  }
  if (end.code !== 0)
    return { problem: explainMongodExit(end.code, end.signal, end.stderr).reason };
  const version = parseMongodVersion(end.stdout);
  if (version === undefined) return { problem: 'does not say a MongoDB version' };
  const refusal = refuseVersion(version);
  return refusal === undefined ? { version } : { problem: refusal };
}
