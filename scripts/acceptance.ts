import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suites } from '../test/suites.ts';

/**
 * `npm run test:acceptance [-- name …]`: the suites of `test/suites.ts`, one after the other; each brings what
 * it needs.
 */
const names = Object.keys(suites);

const root = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(', ')}; there are ${names.join(', ')}.\n`);
  process.exit(2);
}
const failed = names
  .filter((name) => asked.length === 0 || asked.includes(name))
  .filter((name) => {
    process.stdout.write(`== acceptance: ${name}\n`);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', name];
    return spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' }).status !== 0;
  });
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}.\n`);
  process.exit(1);
}
