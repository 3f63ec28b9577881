import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '@framegate/contract';

/** Public URLs of a gateway. */
type PublicUrls = Record<'base' | 'account' | 'console' | 'media', string>;

interface RunningNote {
  pid: number;
  urls: PublicUrls;
}

const fileIn = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Notes the URLs of this process in DATA_DIR until it ends, for the links that commands print: PORT may be set
 * only in this process's terminal.
 */
export function recordUrls(dataDir: string, urls: PublicUrls): void {
  const note: RunningNote = { pid: process.pid, urls };
  writeFileSync(fileIn(dataDir), `${JSON.stringify(note)}\n`);
  process.once('exit', () => {
    // Another process may have started since.
    if (readNote(dataDir)?.pid === process.pid) rmSync(fileIn(dataDir), { force: true });
  });
}

/** URLs of the gateway that runs on this folder; null if none does. */
export function urlsOfRunning(dataDir: string): PublicUrls | null {
  const note = readNote(dataDir);
  return note !== null && isAlive(note.pid) ? note.urls : null;
}

function readNote(dataDir: string): RunningNote | null {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as RunningNote;
  } catch {
    // Missing or incomplete: commands then use the URLs of the settings.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user has this id.
    return errorCodeOf(error) === 'EPERM';
  }
}
