import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './findChromium.ts';

const folder = join(import.meta.dirname, '..');

/**
 * Checks that there is a browser, and installs its driver from the lockfile if it is missing or old.
 * @throws Error that says what to install.
 */
export function prepareBrowser(): void {
  findChromium();
  const done = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs) return;
  const install = ['ci', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', install, { cwd: folder, stdio: 'inherit' });
  if (status === 0) return;
  throw new Error('The driver of the browser is missing: run "npm ci" in test/browser.');
}
