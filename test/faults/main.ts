/**
 * `npm run faults -- [--rounds N] [--seed S] [--model [--steps N]] [--cases] [--outages]`: the long runs
 * of the fault suites. Rounds of crashes by default; `--model` plays the model-based test; `--cases` plays every
 * case of test/faults; `--outages` takes the database away for 15 s to 5 minutes. Prints its seed first: a run
 * with that seed decides the same.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { runModel } from '../properties/runModel.ts';
import { startTestMongod } from '../support/mongod.ts';
import { newSeed, runCrashRounds } from './crashRounds.ts';
import { playOutages } from './playOutage.ts';
import { wholeRunVariable } from './wholeRun.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    model: { type: 'boolean', default: false },
    steps: { type: 'string', default: '100000' },
    cases: { type: 'boolean', default: false },
    outages: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? newSeed());
const note = (line: string) => process.stdout.write(`${line}\n`);
note(`seed ${seed}`);
process.exit((await play()) ? 0 : 1);

function play(): Promise<boolean> {
  if (values.outages) return playOutages([15, 30, 60, 300], note);
  return values.cases ? playCases() : playLong();
}

/** The rounds or the model, on a separate database server. */
async function playLong(): Promise<boolean> {
  const mongod = await startTestMongod();
  const uri = mongod.uri.replace('/framegate?', `/faults_${seed}?`);
  try {
    if (values.model) {
      const report = await runModel({ uri, seed, steps: Number(values.steps), note });
      note(JSON.stringify(report, null, 2));
      return true;
    }
    const report = await runCrashRounds({ uri, seed, rounds: Number(values.rounds), note });
    note(JSON.stringify(report, null, 2));
    return report.wrong.length === 0;
  } catch (error) {
    note(String(error));
    return false;
  } finally {
    await mongod.stop();
  }
}

/** Every case of the suites of which `npm test` and `npm run test:acceptance` play a selection. */
async function playCases(): Promise<boolean> {
  const projects = ['--selectProjects', 'quick', 'faults'];
  const args = ['node_modules/jest/bin/jest.js', ...projects, '--testPathPatterns', 'test/faults/'];
  const env = { ...process.env, [wholeRunVariable]: 'all' };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
