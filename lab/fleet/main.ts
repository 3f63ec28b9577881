/**
 * `npm run fleet -- [--api 3] [--worker 3] [--minutes 10] [--seed S] [--rate 6] [--hot 3]`: a fleet of api
 * and worker processes under a steady load while processes, database, store and a provider fail; then
 * everything ends and is checked against the promises. Prints the measured bounds as a Markdown table. Exit
 * status 1 when a promise was broken; a missed bound is only reported, since it depends on the machine as well.
 * The seed alone determines all random choices.
 */
import { parseArgs } from 'node:util';
import { newSeed } from '../../test/faults/crashRounds.ts';
import { runFleet } from './runFleet.ts';

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: '3' },
    worker: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    rate: { type: 'string', default: '6' },
    hot: { type: 'string', default: '3' },
  },
});
const note = (line: string) => process.stdout.write(`${line}\n`);
const { wrong, table } = await runFleet({
  sizes: { api: Number(values.api), worker: Number(values.worker) },
  minutes: Number(values.minutes),
  seed: Number(values.seed ?? newSeed()),
  perSecond: { ordinary: Number(values.rate), hot: Number(values.hot) },
  note,
});
note(`\n${table}\n`);
for (const words of wrong) note(`WRONG: ${words}`);
note(`${wrong.length} promises broken`);
process.exit(wrong.length === 0 ? 0 : 1);
