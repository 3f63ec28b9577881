import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suites } from '../test/suites.ts';

/**
 * `npm run test:acceptance [-- name …]`: runs the suites of `test/suites.ts` in two lanes, longest first, then
 * those that measure one after the other. The output of a suite is printed when it ends.
 */
const names = Object.keys(suites);

const root = join(import.meta.dirname, '..');
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown suite: ${unknown.join(', ')}. Suites: ${names.join(', ')}.\n`);
  process.exit(2);
}

const chosen = Object.entries(suites)
  .filter(([name]) => requested.length === 0 || requested.includes(name))
  .sort(([, one], [, other]) => other.usualSeconds - one.usualSeconds);
const together = chosen.filter(([, { alone }]) => !alone).map(([name]) => name);
const alone = chosen.filter(([, suite]) => suite.alone).map(([name]) => name);
const failed: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'framegate-acceptance-'));
await Promise.all([runAll(together), runAll(together)]);
await runAll(alone);
await rm(folder, { recursive: true, force: true });
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}.\n`);
  process.exitCode = 1;
}

/** A lane: runs suites from this list until it is empty. */
async function runAll(waiting: string[]): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    process.stdout.write(`== acceptance: ${name} begins\n`);
    const startedAt = performance.now();
    const { status, output } = await run(name);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    process.stdout.write(`== acceptance: ${name}, ${String(seconds)} s\n${output}`);
    if (status !== 0) failed.push(name);
  }
}

async function run(name: string): Promise<{ status: number | null; output: string }> {
  // --forceExit: resources left by a test must not keep Jest from ending.
  const workers = suites[name]?.oneByOne ? ['--runInBand', '--forceExit'] : [];
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', name, ...workers];
  const path = join(folder, name);
  const file = await open(path, 'w');
  const child = spawn(process.execPath, jest, { cwd: root, stdio: ['ignore', file.fd, file.fd] });
  const [status] = (await once(child, 'exit')) as [number | null];
  await file.close();
  const output = await readFile(path, 'utf8');
  if (status !== 0 && !/^Tests: /m.test(output)) reportCrash(name, output);
  return { status, output };
}

/** Adds a suite whose Jest ended without results to the lists of failed tests and files. */
function reportCrash(name: string, output: string): void {
  const { FAILED_TESTS, FAILED_FILES } = process.env;
  if (FAILED_TESTS) appendFileSync(FAILED_TESTS, `FAILED ${name}\n${output.slice(-2_000)}\n`);
  if (FAILED_FILES)
    appendFileSync(FAILED_FILES, `${name} ${suites[name]?.folder ?? 'test'}/${name}/\n`);
}
