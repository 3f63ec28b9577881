import { appendFileSync } from 'node:fs';
import { suites } from '../test/suites.ts';
import { describeEnd, type DoneJob, type Job, runInLanes } from './lanes.ts';

/**
 * `npm run test:acceptance [-- name …]`: runs the suites of `test/suites.ts` in two lanes, longest first. The
 * output of a suite is printed when it ends.
 */
const names = Object.keys(suites);

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown suite: ${unknown.join(', ')}. Suites: ${names.join(', ')}.\n`);
  process.exit(2);
}

const chosen = Object.entries(suites)
  .filter(([name]) => requested.length === 0 || requested.includes(name))
  .toSorted(([, one], [, other]) => other.usualSeconds - one.usualSeconds);
const failed: string[] = [];
await runInLanes(
  chosen.map(([name]) => jobOf(name)),
  onEnd,
);
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}.\n`);
  process.exitCode = 1;
}

function jobOf(name: string): Job {
  // --forceExit: resources left by a test must not keep Jest from ending.
  const workers = suites[name]?.oneByOne ? ['--runInBand', '--forceExit'] : [];
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', name, ...workers];
  return { name, command: [process.execPath, ...jest] };
}

function onEnd(job: DoneJob): void {
  const { name, status, output } = job;
  process.stdout.write(`${describeEnd(job)}${output}`);
  if (status === 0) return;
  failed.push(name);
  if (!/^Tests: /m.test(output)) reportCrash(name, output);
}

/** Adds a suite whose Jest ended without results to the lists of failed tests and files. */
function reportCrash(name: string, output: string): void {
  const { FAILED_TESTS, FAILED_FILES } = process.env;
  if (FAILED_TESTS) appendFileSync(FAILED_TESTS, `FAILED ${name}\n${output.slice(-2_000)}\n`);
  if (FAILED_FILES) {
    appendFileSync(FAILED_FILES, `${name} ${suites[name]?.folder ?? 'test'}/${name}/\n`);
  }
}
