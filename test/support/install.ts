import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Runs npm in a folder. @throws Error with its output if it fails. */
export function npm(folder: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${stdout}\n${stderr}`);
  }
}

/** Installs a package from its lockfile unless that is done already. */
export function install(folder: string): void {
  const done = join(folder, 'node_modules/.package-lock.json');
  const lock = statSync(join(folder, 'package-lock.json')).mtimeMs;
  if (!existsSync(done) || statSync(done).mtimeMs < lock) {
    npm(folder, 'ci', '--no-audit', '--no-fund');
  }
}
