import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** The words of npm that install a lock file: nothing of others runs. */
export const installWords = [
  ...['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
];

/** The note beside installed packages that names their lock file and their Node. */
const noteOf = (folder: string) => join(folder, 'node_modules/.framegate-lock');

function lockHash(folder: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).update(process.version).digest('hex');
}

/** @returns Whether the packages of the folder's lock file are there, and were installed by this Node. */
export function isInstalled(folder: string): boolean {
  const note = noteOf(folder);
  return existsSync(note) && readFileSync(note, 'utf8') === lockHash(folder);
}

/** Notes that the packages of the folder's lock file are there. */
export function noteInstalled(folder: string): void {
  writeFileSync(noteOf(folder), lockHash(folder));
}

/**
 * Installs the tools that a package has and the project has not, once per lock file.
 * @returns Where they are.
 */
export function ownTools(folder: string): string {
  if (!isInstalled(folder)) {
    run('npm', installWords, folder);
    noteInstalled(folder);
  }
  return join(folder, 'node_modules');
}
