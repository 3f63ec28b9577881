import { spawnSync } from 'node:child_process';
import { describeEnd, type DoneJob, runInLanes } from './lanes.ts';

/**
 * `npm run check`: every check that a change must pass. Two source checks run at a time, longest first, because each
 * uses one processor; then the tests, unless a check has failed.
 */
const checks = ['lint', 'types', 'format:check', 'generate:check', 'arrows', 'unused'];

const failed: DoneJob[] = [];
const jobs = checks.map((name) => ({ name, command: ['npm', 'run', '--silent', name] as const }));
await runInLanes(jobs, (job) => {
  process.stdout.write(describeEnd(job));
  if (job.status === 0) process.stdout.write(job.output);
  else failed.push(job);
});
// At the end, where they are visible.
for (const job of failed) process.stdout.write(`${describeEnd(job)}${job.output}`);
process.exitCode =
  failed.length > 0 ? 1 : (spawnSync('npm', ['test'], { stdio: 'inherit' }).status ?? 1);
