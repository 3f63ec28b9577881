import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { defaultTimings, type Timings } from '../../gateway/src/application/generations/timings.ts';
import { image, video } from '../support/bodies.ts';
import { testIf } from '../support/testIf.ts';
import { until } from '../support/until.ts';
import { untilAllEnded } from './checkWorld.ts';
import { type FaultAccount, openFaultWorld, quickTimings } from './faultWorld.ts';
import { testInWholeRun } from './inWholeRun.ts';
import { startReplicaSet } from './startReplicaSet.ts';
import { isWholeRun } from './wholeRun.ts';

/* The wall clock of a real mongod is wrong for a while. */

/** Everything moves long before the clock would have made it due, in ms; on a quiet machine within a minute. */
const movesWithinMs = 5 * minuteMs;

interface Scene {
  members: number;
  aheadMs: number;
  /** How long the clock is wrong after it was noticed, in ms. */
  forMs: number;
  roles: readonly string[];
  timings: Timings;
}

async function play({ members, aheadMs, forMs, roles, timings }: Scene): Promise<void> {
  const replicas = await startReplicaSet(members, 'clocks', { clocks: true });
  const world = await openFaultWorld({ uri: replicas.uri, timings });
  try {
    const processes = await Promise.all(roles.map((ROLE) => world.start({ ROLE })));
    const origin = processes.find((each) => each.origin !== '')?.origin ?? '';
    const usual = await world.addAccount(100_000);
    const slow = await world.addAccount(100_000, { createsPerMinute: 30, burst: 3 });
    const brief = await world.addAccount(1);
    const { database, clock, collections } = world.mongo;
    await grantCredits(
      { database, clock, random: createRandom(clock) },
      {
        accountId: brief.accountId,
        amountCredits: 500,
        kind: 'promotional',
        reason: null,
        expiresAt: clock.now() + 10 * minuteMs,
      },
    );
    const order = async (account: FaultAccount, body: object, path = '/v1/videos') => {
      const response = await fetch(origin + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${account.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      const { error } = ((await response?.json()) ?? {}) as { error?: { code: string } };
      return error?.code ?? response?.status;
    };
    const small = (prompt: string) =>
      video({ prompt, parameters: { duration_seconds: 4, resolution: '480p' } });
    world.ark.script({ on: 'task', plan: { polls: 1, end: 'succeeded' } });
    world.ark.setHeld(true);
    const accepted = (account: FaultAccount, ...given: [object, string?]) =>
      until(async () => (await order(account, ...given)) === 202, 'a create is accepted');
    await accepted(usual, small('at the provider'));
    const { generations, ledger } = collections;
    const isSubmitted = async () => (await generations.countDocuments({ step: 'submitted' })) === 1;
    await until(isSubmitted, 'a video is at the provider');
    const inHand = image({ model: 'image-a-2', prompt: 'in hand [takes 15000 ms]' });
    await accepted(usual, inHand, '/v1/images');

    const right = members > 1 ? await replicas.primary() : 0;
    const wrong = (right + 1) % members;
    await replicas.setClock(wrong, aheadMs);
    if (members > 1) await replicas.stepUp(wrong);
    const meanwhile: unknown[] = [];
    await until(async () => {
      meanwhile.push(await order(brief, small('meanwhile')));
      return meanwhile.at(-1) === 'clock_wrong';
    }, 'creates are refused');
    // Before it was noticed, the time went on without the step: no lot was lost to it.
    expect(meanwhile).not.toContain('insufficient_credits');
    const read = { headers: { authorization: `Bearer ${usual.apiKey}` } };
    expect((await fetch(`${origin}/v1/credits/balance`, read)).status).toBe(200);
    const noticedAt = performance.now();
    await until(() => performance.now() - noticedAt > forMs);
    expect(await order(usual, small('still refused'))).toBe('clock_wrong');
    world.ark.setHeld(false);

    await replicas.setClock(wrong, 0);
    if (members > 1) await replicas.stepUp(right);
    const rightAt = performance.now();
    for (const account of [usual, slow, brief]) {
      await until(
        async () => (await order(account, small('afterwards'))) === 202,
        'creates are accepted',
        movesWithinMs - (performance.now() - rightAt),
      );
    }
    await untilAllEnded(world, movesWithinMs - (performance.now() - rightAt));
    const seconds = Math.round((performance.now() - rightAt) / 1000);
    if (isWholeRun()) process.stdout.write(`everything has ended after ${seconds} s\n`);
    const failed = await generations.find({ status: { $ne: 'completed' } }).toArray();
    expect(failed.map(({ failure, model }) => [model, failure])).toEqual([]);
    expect(await ledger.countDocuments({ kind: { $in: ['expiry', 'refund'] } })).toBe(0);
    expect((await verifyLedger({ ledgerAudit: world.ledgerAudit })).problems).toEqual([]);
    const logs = processes.map((each) => each.log());
    for (const log of logs) expect(log).toContain('"alert":"database_clock_wrong"');
    for (const log of logs) expect(log).not.toContain("this machine's clock");
  } finally {
    await world.close();
    await replicas.stop();
  }
}

const all = ['all'];
const three = ['api', 'worker', 'worker'];

testIf(process.platform === 'linux', 'its clock is set by a preload of Linux')(
  'the clock of the database is 20 minutes ahead for a moment',
  () => play({ members: 1, aheadMs: 20 * minuteMs, forMs: 500, roles: all, timings: quickTimings }),
  400_000,
);

const scenes: [string, number, number, readonly string[]][] = [
  ['20 minutes ahead for half a minute', 1, 20 * minuteMs, all],
  ['20 minutes ahead for half a minute, with three processes', 1, 20 * minuteMs, three],
  ['20 minutes behind for half a minute', 1, -20 * minuteMs, all],
  ['20 minutes ahead at one of three members, which is elected', 3, 20 * minuteMs, three],
];
for (const [name, members, aheadMs, roles] of scenes) {
  testInWholeRun(
    `the clock of the database is ${name}`,
    () => play({ members, aheadMs, forMs: 30_000, roles, timings: defaultTimings }),
    700_000,
  );
}
