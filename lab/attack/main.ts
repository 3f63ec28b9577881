import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { defaultLimits } from '../../gateway/src/domain/account.ts';
import { untilAllEnded } from '../../test/faults/checkWorld.ts';
import { openFaultWorld } from '../../test/faults/faultWorld.ts';
import { startTestMongod } from '../../test/support/mongod.ts';
import { head, row, say } from '../figures.ts';
import { readOptions } from '../options.ts';
import { addHistory, picture, sessionSettings, signIn } from './attackers.ts';
import type { AttackOrder } from './attackProcess.ts';
import { attacks } from './attacks.ts';
import { watchBystander, type Seen } from './bystander.ts';
import type { HostileFilesHost } from './hostileFilesProcess.ts';

/**
 * `npm run attack -- [--seconds N] [--only WORDS]`: plays attacks of one account or one address against an
 * api and a worker process, and prints a bystander's experience before, during and after each as a Markdown
 * table. Only ratios matter: bystander, database and gateway share this machine, and the attacker has the rest.
 */
const { values } = readOptions({ seconds: 10, only: '' });
const forMs = values.seconds * 1000;
/** Factor by which a bystander may be slower during an attack, and the time below which nobody notices. */
const [timesBefore, unfeltMs] = [3, 100];

/** Longest wait for the attacker's orders, in ms; those that its account's limits hold back are left. */
const drainedWithinMs = 30_000;

const ms = (value: number) => `${value.toFixed(0)} ms`;
const mongod = await startTestMongod();
const storage = fork(join(import.meta.dirname, 'hostileFilesProcess.ts'));
const { env, files } = (await said(storage)) as HostileFilesHost;
const world = await openFaultWorld({ uri: mongod.uri, env: { ...env, ...sessionSettings } });
const [smallPicture, hugePicture] = [await picture(640), await picture(6_300)];
try {
  const { origin } = await world.start({ ROLE: 'api' });
  await world.start({ ROLE: 'worker' });
  const bystander = await world.addAccount(1_000_000);
  await watchBystander(world, origin, bystander, forMs);
  say(head(['attack', 'its answers', 'bystander', 'before p50, p99', 'during', 'after', 'kept']));
  for (const attack of attacks.filter(({ what }) => what.includes(values.only))) {
    const attackers = await Promise.all(
      Array.from({ length: 4 }, () => world.addAccount(1_000_000, defaultLimits)),
    );
    const sessions = await Promise.all(attackers.map((each) => signIn(world, each.accountId)));
    const { accountId = '', apiKey = '' } = attackers[0] ?? {};
    if (attack.needsHistory) await addHistory(world, accountId);
    const uploader = attack.watchesUploads && (await world.addAccount(1_000_000));
    const uploads = uploader
      ? { cookie: await signIn(world, uploader.accountId), picture: smallPicture }
      : null;
    const watch = () => watchBystander(world, origin, bystander, forMs, uploads);
    const attacker = fork(join(import.meta.dirname, 'attackProcess.ts'));
    await said(attacker);
    const before = await watch();
    const target = { origin, apiKey, files, sessions, hugePicture };
    const order: AttackOrder = { what: attack.what, target, forMs };
    attacker.send(order);
    const [during, { answers }] = await Promise.all([
      watch(),
      said(attacker) as Promise<{ answers: string }>,
    ]);
    attacker.disconnect();
    await untilAllEnded(world, drainedWithinMs).catch(() => undefined);
    const after = await watch();
    const phases = [before, during, after];
    for (const [index, part] of (['read', 'create', 'result', 'upload'] as const).entries()) {
      const seen = phases.flatMap((phase) => phase[part] ?? []);
      const [first, second] = seen;
      if (!first || !second) continue;
      const isKept =
        second.p99 <= Math.max(unfeltMs, timesBefore * first.p99) && phases.every(isServed);
      const times = seen.map(({ p50, p99 }) => `${ms(p50)}, ${ms(p99)}`);
      const names = index === 0 ? [attack.what, answers] : ['', ''];
      say(row([...names, part, ...times, isKept ? 'yes' : 'NO']));
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

/** Whether all requests of the bystander succeeded. */
function isServed({ read, create, result, upload }: Seen): boolean {
  const answers = (part: Seen['read'] | undefined) => Object.keys(part?.statuses ?? {}).join();
  const isUploaded = !upload || answers(upload) === '200';
  const isRead = answers(read) === '200' && answers(create) === '202';
  return isRead && isUploaded && result.failed === 0;
}
