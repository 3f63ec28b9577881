/**
 * `npm run lab:simulate -- [--schedules 1000] [--seed S] [--shrinks 150] [--broken RULE]`: schedules of the money path
 * in one process each: the use cases and stores as they are, on a database, a provider and clocks in memory, while
 * processes die or freeze, responses are lost, clocks step and backups are restored. Prints the seed and, where a
 * promise is broken, the shortest schedule that breaks it. Exit status 1 then. With a rule of `brokenRules.ts` broken,
 * it must.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { breakRule } from './breakRule.ts';
import { describeSchedule, type Schedule, schedules } from './schedule.ts';

/** Schedules per line of progress. */
const together = 200;

const { values } = parseOptions({
  schedules: 1_000,
  seed: randomInt(2 ** 31),
  shrinks: 150,
  broken: '',
});
if (values.broken !== '') breakRule(values.broken);
const { simulate } = await import('./simulate.ts');
/** Processor time of this process since then, in s: wall-clock time says little about a busy machine. */
const busySeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000_000;
};
const begin = process.cpuUsage();
say(`seed ${values.seed}`);
let played = 0;
let failure: fc.RunDetails<[Schedule]> | null = null;
let scheduleCount = 0;
let failures = 0;
let shrinks = 0;
for (let batch = 0; played < values.schedules && failure === null; batch += 1) {
  const details = await fc.check(
    fc.asyncProperty(schedules, async (schedule) => {
      if (failures > 0 && (shrinks += 1) > values.shrinks) return;
      scheduleCount += 1;
      const wrong = await simulate(schedule);
      if (wrong.length === 0) return;
      const words = wrong.slice(0, 5).join('\n');
      if ((failures += 1) === 1) {
        say(`WRONG after ${scheduleCount} schedules, looking for less: ${words}`);
      }
      throw new Error(words);
    }),
    { seed: values.seed + batch, numRuns: Math.min(together, values.schedules - played) },
  );
  played += details.numRuns;
  const rate = scheduleCount / busySeconds(begin);
  say(`${played} schedules, ${rate.toFixed(1)} a second of a core`);
  if (details.failed) failure = details;
}
if (failure) {
  const [shortest] = failure.counterexample ?? [];
  say(`again: npm run lab:simulate -- --seed ${failure.seed}`);
  if (shortest) {
    say(describeSchedule(shortest));
    say(JSON.stringify(shortest));
  }
  say(String((failure.errorInstance as Error | null)?.stack));
  process.exitCode = 1;
}
