import { describe, expect, test } from '@jest/globals';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { moneyTests, order } from './support/moneyTests.ts';
import { results } from './support/zap.ts';

/* Runs with the same inputs look alike to the app: some share a generation, and others get their own. */

const money = moneyTests();

describe('several runs with the same inputs', () => {
  test('share one generation when they run at once', async () => {
    const user = await money.world.addUser();
    const run = () =>
      user.run('create_video', order, { betweenAttempts: money.finishAfter(user, 2) });
    const [one, other] = await Promise.all([run(), run()]);
    expect(results(one)['id']).toBe(results(other)['id']);
    await money.expectPaid(user, { generations: 1 });
  });

  test('make one each with their own Request Keys', async () => {
    const user = await money.world.addUser();
    const run = (request_key: string) =>
      user.run(
        'create_video',
        { ...order, request_key },
        { betweenAttempts: money.finishAfter(user, 2) },
      );
    const [one, other] = await Promise.all([run('row 1'), run('row 2')]);
    expect(results(one)['id']).not.toBe(results(other)['id']);
    const again = await user.run(
      'create_video',
      { ...order, request_key: 'row 1' },
      { startsAt: 9e6 },
    );
    expect(results(again)['id']).toBe(results(one)['id']);
    await money.expectPaid(user, { generations: 2 });
  });

  test('make one each when the second begins after the first', async () => {
    const user = await money.world.addUser();
    const first = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 1),
    });
    const second = await user.run('create_video', order, {
      startsAt: hourMs,
      betweenAttempts: money.finishAfter(user, 1),
    });
    expect(results(second)['id']).not.toBe(results(first)['id']);
    await money.expectPaid(user, { generations: 2 });
  });

  test('make one each without a cache once the first is over', async () => {
    const user = await money.world.addUser();
    const once = () => ({ platform: null, betweenAttempts: money.finishAfter(user, 1) });
    const first = await user.run('create_video', order, once());
    const endedMs = user.api.aheadMs;
    const soon = await user.run('create_video', order, {
      ...once(),
      startsAt: endedMs + 5 * minuteMs,
    });
    expect(results(soon)['id']).toBe(results(first)['id']);
    const later = await user.run('create_video', order, { ...once(), startsAt: hourMs });
    expect(results(later)['id']).not.toBe(results(first)['id']);
    await money.expectPaid(user, { generations: 2 });
  });

  test('make one each over two connections, an hour apart', async () => {
    const user = await money.world.addUser();
    const teammate = await money.world.addConnection(user);
    const first = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 1),
    });
    const startsAt = hourMs;
    const betweenAttempts = money.finishAfter(user, 1);
    const second = await teammate.run('create_video', order, { startsAt, betweenAttempts });
    expect(results(second)['id']).not.toBe(results(first)['id']);
    expect(results(second)).toMatchObject({ shared_with_earlier_run: false });
    await money.expectPaid(user, { generations: 2 });
  });

  test('share a file as two steps of one Zap, which the second one tells', async () => {
    const user = await money.world.addUser();
    const first = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 1),
    });
    const second = await user.run('create_video', order, { startsAt: user.api.aheadMs + 1000 });
    expect(results(second)['id']).toBe(results(first)['id']);
    expect(results(first)).toMatchObject({ shared_with_earlier_run: false });
    expect(results(second)).toMatchObject({ shared_with_earlier_run: true });
    await money.expectPaid(user, { generations: 1 });
  });

  test('take no generation of a run that was given up while it waited', async () => {
    const user = await money.world.addUser();
    const givenUp = await user.run('create_video', order, { maxAttempts: 1 }).catch(() => null);
    expect(givenUp).toBeNull();
    await money.world.finish(user);
    await user.run('create_video', order, {
      startsAt: dayMs,
      betweenAttempts: money.finishAfter(user, 1),
    });
    await money.expectPaid(user, { generations: 2 });
  });

  test('continue past midnight with one generation, though the cache does not work', async () => {
    const user = await money.world.addUser();
    const startsAt = 2 * dayMs - (Date.now() % dayMs) - 45_000;
    const betweenAttempts = money.finishAfter(user, 4);
    const ran = await user.run('create_video', order, {
      platform: null,
      startsAt,
      betweenAttempts,
    });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });
});
