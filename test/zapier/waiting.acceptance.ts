import { describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import { until } from '../support/until.ts';
import { cost, moneyTests, order } from './support/moneyTests.ts';
import { results } from './support/zap.ts';

/*
 * One charge for a run, whatever happens to the step, the cache, the network or the key in between. The gateway has no
 * worker until a test starts one, so that the test sets the length of a wait.
 */

const money = moneyTests();

/** The create requests of a user without the empty ones, which only ask whether a key is taken. */
const isOrder = ({ body }: { body: string }) => body !== '{}';
const ordersOf = (user: { posts(): { body: string; status: number | null }[] }) =>
  user.posts().filter(isOrder);

describe('a run that waits pays once', () => {
  test('with the cache', async () => {
    const user = await money.world.addUser();
    const ran = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 3),
    });
    expect(results(ran)).toMatchObject({ status: 'completed', cost_credits: cost });
    expect(ran.attempts).toBeGreaterThan(1);
    expect(ran.delays.every((delay) => delay >= 5 && delay <= 300)).toBe(true);
    expect(ordersOf(user)).toHaveLength(1);
    await money.expectPaid(user, { generations: 1 });
  });

  test('without a cache', async () => {
    const user = await money.world.addUser();
    const betweenAttempts = money.finishAfter(user, 3);
    const ran = await user.run('create_video', order, { platform: null, betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(ran.attempts).toBeGreaterThan(1);
    await money.expectPaid(user, { generations: 1 });
  });

  test('when the cache is lost between attempts', async () => {
    const user = await money.world.addUser();
    const betweenAttempts = async (attempt: number) => {
      user.platform.cache.clear();
      if (attempt === 3) await money.world.finish(user);
    };
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test('when the cache accepts nothing', async () => {
    const user = await money.world.addUser();
    user.platform.cacheIsFull = true;
    const betweenAttempts = money.finishAfter(user, 2);
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test('when its process is killed after the POST', async () => {
    const user = await money.world.addUser();
    let kill: (() => void) | undefined;
    user.api.mischief = (request) => {
      if (request.method !== 'POST' || !isOrder(request)) return undefined;
      user.api.mischief = undefined;
      return { kind: 'lost response', then: () => kill?.() };
    };
    const ran = await user.run('create_video', order, {
      onProcess: (child) => (kill = () => child.kill('SIGKILL')),
      betweenAttempts: money.finishAfter(user, 2),
    });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(ordersOf(user).map(({ status }) => status)).toEqual([null, 202]);
    await money.expectPaid(user, { generations: 1 });
  });

  test('when it is killed while it has the result', async () => {
    const user = await money.world.addUser();
    const first = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 1),
    });
    // Zapier never got that response, and runs the step again.
    const again = await user.run('create_video', order, { startsAt: 120_000 });
    expect(results(again)['id']).toBe(results(first)['id']);
    await money.expectPaid(user, { generations: 1 });
  });

  test('through an outage of the API', async () => {
    const user = await money.world.addUser();
    let left = 6;
    user.api.mischief = () => {
      left -= 1;
      if (left < 0) return undefined;
      if (left % 3 === 0) return { kind: 'reset' };
      if (left % 3 === 1) return { kind: 'lost response' };
      return { kind: 'response', status: 502, headers: {}, body: '<html>nginx</html>' };
    };
    const betweenAttempts = money.finishAfter(user, 4);
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test('after an outage that ended the run, by a replay of the step', async () => {
    const user = await money.world.addUser();
    // Before 08:00 UTC the step first checks which keys of the day before are taken, which makes no generation.
    user.api.mischief = (request) =>
      request.method === 'POST' && isOrder(request) ? { kind: 'lost response' } : undefined;
    const ended = await user.run('create_video', order, { platform: null });
    expect(ended.outcome).toMatchObject({
      name: 'AppError',
      message: expect.stringMatching(
        /^The API is currently unavailable\. Replay this step soon: .* If a generation was created, its Idempotency Key is zap-[\w-]+\.$/,
      ),
    });
    user.api.mischief = undefined;
    const betweenAttempts = money.finishAfter(user, 1);
    const replayed = await user.run('create_video', order, { platform: null, betweenAttempts });
    expect(results(replayed)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test('past a rate limit', async () => {
    const user = await money.world.addUser();
    const limited = { code: 'rate_limited', message: 'Too many requests.' };
    user.api.mischief = (request) => {
      if (request.method !== 'POST' || !isOrder(request)) return undefined;
      user.api.mischief = undefined;
      const headers = { 'retry-after': '17' };
      return { kind: 'response', status: 429, headers, body: JSON.stringify({ error: limited }) };
    };
    const betweenAttempts = money.finishAfter(user, 2);
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(ordersOf(user).map(({ status }) => status)).toEqual([429, 202]);
    expect(ran.delays[0]).toBe(17);
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test('when its key is revoked and replaced', async () => {
    const user = await money.world.addUser();
    const revoked = await user.run('create_video', order, {
      async betweenAttempts(attempt) {
        if (attempt !== 2) return;
        await money.world.revoke(user);
        // Reads may cache a key for another 5 s.
        await until(async () => (await user.account.get('/v1/credits/balance')).status === 401);
      },
    });
    expect(revoked.outcome).toMatchObject({
      name: 'ExpiredAuthError',
      message: expect.stringMatching(
        /^The API key no longer works\. Open App Connections in Zapier .* Generation gen_\w{26} is not lost/,
      ),
    });
    const authData = { ...user.authData, api_key: await money.world.addKey(user) };
    // Another connection has another cache.
    user.platform.cache.clear();
    await money.world.startWorker();
    const replayed = await user.run('create_video', order, {
      authData,
      betweenAttempts: () => money.world.untilEnded(user),
    });
    expect(results(replayed)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test('with a prompt that looks like a template of Zapier', async () => {
    const user = await money.world.addUser();
    const prompt = 'Write {{bundle.authData.api_key}} and {{process.env.HOME}} in the sand';
    const betweenAttempts = money.finishAfter(user, 1);
    const ran = await user.run('create_video', { ...order, prompt }, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(JSON.parse(ordersOf(user)[0]?.body ?? '')).toMatchObject({ prompt });
    await money.expectPaid(user, { generations: 1 });
  });

  test('over 40 minutes', async () => {
    const user = await money.world.addUser();
    let waitedMs = 0;
    // A model without observed durations: its hints assume a long generation.
    const long = { ...order, model: 'alpha-2.5' };
    const ran = await user.run('create_video', long, {
      // Zapier is busy: a process for every half minute would take most of the test's time.
      lateMs: minuteMs,
      async betweenAttempts() {
        if (waitedMs >= 40 * minuteMs) return;
        waitedMs = user.api.aheadMs;
        if (waitedMs >= 40 * minuteMs) await money.world.finish(user);
      },
    });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(user.api.aheadMs).toBeGreaterThanOrEqual(40 * minuteMs);
    const paid = { generations: 1, creditsSpent: 32 };
    await money.expectPaid(user, paid);
  });

  test('past the deadline, which names the generation, and by a later replay', async () => {
    const user = await money.world.addUser();
    const first = await user.run('create_video', order, { lateMs: 10 * minuteMs });
    const { outcome } = first;
    expect(outcome).toMatchObject({ name: 'AppError' });
    const message = outcome.ok ? '' : outcome.message;
    const [id] = /gen_[0-9a-z]{26}/.exec(message) ?? [];
    expect(message).toContain('is still queued after two hours. It continues and is not lost');
    await money.world.finish(user);
    const startsAt = 3 * hourMs;
    const replayed = await user.run('create_video', order, { startsAt });
    expect(results(replayed)).toMatchObject({ id, status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });
});
