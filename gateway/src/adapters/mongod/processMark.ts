import { randomBytes } from 'node:crypto';
import { EmbeddedDatabaseError } from './embeddedDatabaseError.ts';
import { readProcess } from './readProcess.ts';

/**
 * A file name that says which process made it: pid, start time and a random part. A pid alone would
 * be wrong one day, since pids are used again.
 */
export async function newProcessMark(): Promise<string> {
  const self = await readProcess(process.pid);
  if (self === undefined) {
    throw new EmbeddedDatabaseError('The list of running processes cannot be read (/proc or ps).');
  }
  return `${self.pid}-${self.startedAt}-${randomBytes(6).toString('hex')}`;
}

/** Is the process that made this mark still running? False for a name that is no mark. */
export async function isMarkAlive(mark: string): Promise<boolean> {
  const match = /^(\d+)-([A-Za-z0-9.]+)-[0-9a-f]{12}$/.exec(mark);
  if (match === null) return false;
  const running = await readProcess(Number(match[1]));
  return running?.startedAt === match[2];
}
