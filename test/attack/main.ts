import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultLimits } from '../../gateway/src/domain/account.ts';
import { untilAllEnded } from '../faults/checkWorld.ts';
import { openFaultWorld } from '../faults/faultWorld.ts';
import { startTestMongod } from '../support/mongod.ts';
import type { AttackOrder } from './attackProcess.ts';
import { attacks } from './attacks.ts';
import { watchBystander, type Seen } from './bystander.ts';
import type { HostileFilesHost } from './hostileFilesProcess.ts';

/**
 * `npm run attack [-- --seconds N --only words]`: plays attacks of one account or one address against an
 * api and a worker process, and prints as a Markdown table what a bystander saw before, during and after
 * each. Ratios count: bystander, database and gateway share this machine, and the attacker has what they leave.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, only: { type: 'string', default: '' } },
});
const forMs = Number(values.seconds) * 1000;
/** A bystander may be so many times slower during an attack; what is quicker than this is not felt. */
const [timesBefore, unfeltMs] = [3, 100];

/** How long what an attacker has ordered is waited for, in ms; what its account must wait for is left. */
const drainedWithinMs = 30_000;

const ms = (value: number) => `${value.toFixed(0)} ms`;
const say = (text: string) => process.stdout.write(`${text}\n`);
const mongod = await startTestMongod();
const storage = fork(join(import.meta.dirname, 'hostileFilesProcess.ts'));
const { env, files } = (await said(storage)) as HostileFilesHost;
const world = await openFaultWorld({ uri: mongod.uri, env });
try {
  const { origin } = await world.start({ ROLE: 'api' });
  await world.start({ ROLE: 'worker' });
  const bystander = await world.addAccount(1_000_000);
  const watch = () => watchBystander(world, origin, bystander, forMs);
  await watch();
  say('| attack | its answers | bystander | before p50, p99 | during | after | kept |');
  say('|---|---|---|---|---|---|---|');
  for (const attack of attacks.filter((each) => each.what.includes(values.only))) {
    const { apiKey } = await world.addAccount(1_000_000, defaultLimits);
    const attacker = fork(join(import.meta.dirname, 'attackProcess.ts'));
    await said(attacker);
    const before = await watch();
    const order: AttackOrder = { what: attack.what, target: { origin, apiKey, files }, forMs };
    attacker.send(order);
    const [during, { answers }] = await Promise.all([
      watch(),
      said(attacker) as Promise<{ answers: string }>,
    ]);
    attacker.disconnect();
    await untilAllEnded(world, drainedWithinMs).catch(() => undefined);
    const after = await watch();
    const heads = [`${attack.what} | ${answers}`, ' | ', ' | '];
    for (const [index, part] of (['read', 'create', 'result'] as const).entries()) {
      const phases = [before, during, after];
      const isKept =
        during[part].p99 <= Math.max(unfeltMs, timesBefore * before[part].p99) &&
        phases.every(isServed);
      const times = phases.map((phase) => `${ms(phase[part].p50)}, ${ms(phase[part].p99)}`);
      say(`| ${[heads[index], part, ...times, isKept ? 'yes' : 'NO'].join(' | ')} |`);
      if (!isKept) process.exitCode = 1;
    }
  }
} finally {
  await world.close();
  storage.disconnect();
  await mongod.stop();
}

/** The next message of a process. @throws when it ends instead. */
async function said(attacker: ChildProcess): Promise<unknown> {
  const ended = once(attacker, 'exit').then(([code]: unknown[]) => {
    throw new Error(`a process of the attack ended with ${String(code)}`);
  });
  const message = once(attacker, 'message').then(([first]: unknown[]) => first);
  return Promise.race([message, ended]);
}

/** Whether the bystander got what it asked for. */
function isServed({ read, create, result }: Seen): boolean {
  const [reads, creates] = [Object.keys(read.statuses), Object.keys(create.statuses)];
  return reads.join() === '200' && creates.join() === '202' && result.failed === 0;
}
