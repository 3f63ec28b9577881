/**
 * `npm run faults -- [--rounds N] [--seed S] [--model]`: the long run of the fault suites, on a database
 * server of its own. Prints its seed first; a run with that seed decides the same.
 */
import { parseArgs } from 'node:util';
import { startTestMongod } from '../support/mongod.ts';
import { newSeed, runCrashRounds } from './crashRounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? newSeed());
process.stdout.write(`seed ${seed}\n`);
const mongod = await startTestMongod();
let isRight = false;
try {
  const uri = mongod.uri.replace('/framegate?', `/faults_${seed}?`);
  const note = (line: string) => process.stdout.write(`${line}\n`);
  const report = await runCrashRounds({ uri, seed, rounds: Number(values.rounds), note });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  isRight = report.wrong.length === 0;
} finally {
  await mongod.stop();
}
process.exit(isRight ? 0 : 1);
