/**
 * `npm run fleet -- [--api 3] [--worker 3] [--minutes 10] [--seed S] [--rate 6] [--hot 3]`: a fleet of api
 * and worker processes under a steady load while processes, database, store and a provider fail; then
 * everything ends and is checked against the promises. Prints the measured bounds as a Markdown table. Exit
 * status 1 when a promise was broken; a missed bound is only reported, since it depends on the machine as well.
 * The seed alone determines all random choices.
 */
import { newSeed } from '../../test/faults/crashRounds.ts';
import { say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { runFleet } from './runFleet.ts';

const { api, worker, minutes, seed, rate, hot } = parseOptions({
  api: 3,
  worker: 3,
  minutes: 10,
  seed: newSeed(),
  rate: 6,
  hot: 3,
}).values;
const { wrong, table } = await runFleet({
  sizes: { api, worker },
  minutes,
  accountCount: 100,
  seed,
  perSecond: { ordinary: rate, hot },
  record: say,
});
say(`\n${table}\n`);
for (const problem of wrong) say(`WRONG: ${problem}`);
say(`${wrong.length} promises broken`);
process.exit(wrong.length === 0 ? 0 : 1);
