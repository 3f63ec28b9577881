import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import startMongod from '../../support/globalSetup.ts';
import { prepareBrowser } from './prepareBrowser.ts';

const root = join(import.meta.dirname, '../../..');

/** Gets the browser's driver, holds the tests to their types, and starts a mongod. */
export default async function globalSetup(): Promise<void> {
  prepareBrowser();
  checkTypes();
  await startMongod();
}

/** With the types of a browser some of the gateway's own sources do not fit: these tests' errors count. */
function checkTypes(): void {
  const check = ['tsc', '--noEmit', '-p', 'test/browser'];
  const { stdout, stderr } = spawnSync('npx', check, { cwd: root, encoding: 'utf8' });
  const lines = `${stdout}\n${stderr}`.split('\n');
  const errors = lines.filter((line) => line.startsWith('test/browser/'));
  if (errors.length > 0) throw new Error(errors.join('\n'));
}
