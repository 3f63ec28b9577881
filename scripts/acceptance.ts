import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run test:acceptance [-- name …]`: the suites that need more than npm and mongod give (real n8n,
 * Zapier's own tools, a browser, the published clients, validators, a fleet of processes) or take minutes
 * (crashes, an installation), one after the other; each brings what it needs.
 */
const suites = [
  'faults',
  'browser',
  'clients',
  'n8n',
  'zapier',
  's3',
  'security',
  'install',
  'upgrade',
  'deploy',
  'fleet',
  'cluster',
];

const root = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}; there are ${suites.join(', ')}.\n`,
  );
  process.exit(2);
}
const failed = suites
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
