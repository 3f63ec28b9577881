import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import startMongod from '../../support/globalSetup.ts';
import { findChromium } from './findChromium.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Installs the driver from its lockfile, holds the tests to their types, and starts a mongod. */
export default async function globalSetup(): Promise<void> {
  findChromium();
  const done = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (!existsSync(done) || statSync(done).mtimeMs < statSync(lock).mtimeMs) {
    const { status, output } = run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
    if (status !== 0) throw new Error(`npm ci failed:\n${output}`);
  }
  checkTypes();
  await startMongod();
}

/** With the types of a browser some of the gateway's own sources do not fit: these tests' errors count. */
function checkTypes(): void {
  const { output } = run(root, 'npx', 'tsc', '--noEmit', '-p', 'test/browser');
  const errors = output.split('\n').filter((line) => line.startsWith('test/browser/'));
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

function run(cwd: string, command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, output: `${stdout}\n${stderr}` };
}
