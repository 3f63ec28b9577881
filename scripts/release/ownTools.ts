import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** Arguments for npm: install a lock file without running packages' scripts. */
export const installWords = [
  ...['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
];

/** A mark next to installed packages: a hash of their lock file and of Node's version. */
const noteOf = (folder: string) => join(folder, 'node_modules/.framegate-lock');

function lockHash(folder: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).update(process.version).digest('hex');
}

/** Whether the packages of the folder's lock file are installed, by this version of Node. */
export function isInstalled(folder: string): boolean {
  const note = noteOf(folder);
  return existsSync(note) && readFileSync(note, 'utf8') === lockHash(folder);
}

/** Marks the packages of the folder's lock file as installed. */
export function recordInstalled(folder: string): void {
  writeFileSync(noteOf(folder), lockHash(folder));
}

/**
 * Installs a package's own tools, once per lock file.
 * @returns Their folder.
 */
export function ownTools(folder: string): string {
  if (!isInstalled(folder)) {
    run('npm', installWords, folder);
    recordInstalled(folder);
  }
  return join(folder, 'node_modules');
}
