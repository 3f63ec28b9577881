import { describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { cost, moneyTests, order } from './support/moneyTests.ts';
import { results, type Values } from './support/zap.ts';

/* Runs that end without a file: refused, too expensive or failed; and the two-step recipe. */

const money = moneyTests();

describe('a run that is refused', () => {
  test('for want of credits pays nothing, and continues when there are some', async () => {
    const user = await money.world.addUser({ credits: 5 });
    const refused = await user.run('create_video', order);
    expect(refused.outcome).toEqual({
      ok: false,
      name: 'HaltedError',
      delay: null,
      message:
        'This costs 12 credits, but only 5 are available. Nothing was charged. Add credits, then replay this step.',
    });
    await money.world.addCredits(user, 100);
    const betweenAttempts = money.finishAfter(user, 1);
    const replayed = await user.run('create_video', order, { betweenAttempts });
    expect(results(replayed)).toMatchObject({ status: 'completed' });
    await money.expectPaid(user, { generations: 1 });
  });

  test.each([
    ['a number out of range', { duration_seconds: 99 }, 'Duration in Seconds: '],
    ['no number', { duration_seconds: 'long' }, 'Duration in Seconds: '],
    ['no frame', { mode: 'image-to-video' }, 'Inputs: Image to Video needs one image'],
    ['an unknown model', { model: 'alpha-9' }, 'Choose another model.'],
    [
      'a host that is not approved',
      { mode: 'image-to-video', input_url: 'https://elsewhere.example/a.png' },
      'is not approved for this API key',
    ],
    [
      'an address of this machine',
      { mode: 'image-to-video', input_url: 'https://127.0.0.1/a.png' },
      'The URL of an input is not valid.',
    ],
    [
      'no consent',
      { mode: 'image-to-video', input_url: 'https://a.example/a.png', real_person_mode: true },
      '',
    ],
  ])('for %s gives instructions and pays nothing', async (_case, changed, sentence) => {
    const user = await money.world.addUser();
    const { outcome } = await user.run('create_video', { ...order, ...changed });
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(sentence),
    });
    expect(outcome).not.toMatchObject({
      message: expect.stringMatching(/[{}]|What happened|request_id/),
    });
    expect(await user.count()).toEqual({ generations: 0, charges: 0, creditsSpent: 0 });
  });
});

describe('the guard Maximum Credits', () => {
  test.each([
    ['a higher price', '11', {}, 'This would cost 12 credits, more than the maximum of 11.'],
    ['no number', 'ten', {}, 'Maximum Credits must be a number above 0.'],
    ['zero', 0, {}, 'Maximum Credits must be a number above 0.'],
    ['nothing', '', { max_credits: '{{1__limit}}' }, 'Maximum Credits must be a number above 0.'],
  ])('refuses %s before anything is made', async (_case, maximum, inputDataRaw, sentence) => {
    const user = await money.world.addUser();
    const inputData = { ...order, max_credits: maximum };
    const { outcome } = await user.run('create_video', inputData, { inputDataRaw });
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(sentence),
    });
    expect(user.posts()).toEqual([]);
  });

  test('lets an allowed price through, and does not affect which runs are equal', async () => {
    const user = await money.world.addUser();
    const first = await user.run(
      'create_video',
      { ...order, max_credits: 12 },
      { betweenAttempts: money.finishAfter(user, 2) },
    );
    const startsAt = user.api.aheadMs + 1000;
    const second = await user.run('create_video', order, { startsAt });
    expect(results(second)['id']).toBe(results(first)['id']);
    await money.expectPaid(user, { generations: 1 });
  });
});

describe('a generation that fails', () => {
  test('for a transient reason ends the run with an error, and a later run makes a new one', async () => {
    const user = await money.world.addUser();
    money.world.ark.script({ on: 'task', times: 1, plan: { polls: 0, end: 'failed' } });
    const once = () => ({ platform: null, betweenAttempts: money.finishAfter(user, 1) });
    const failed = await user.run('create_video', order, once());
    expect(failed.outcome).toMatchObject({ ok: false, name: 'AppError' });
    const again = await user.run('create_video', order, { ...once(), startsAt: 30 * minuteMs });
    expect(results(again)).toMatchObject({ status: 'completed' });
    const paid = { generations: 2, creditsSpent: cost };
    await money.expectPaid(user, paid);
  });

  test('because it was refused halts the run, is refunded, and a new run makes a new one', async () => {
    const user = await money.world.addUser();
    const error = { code: 'OutputVideoSensitiveContentDetected', message: 'secret provider words' };
    money.world.ark.script({ on: 'task', times: 1, plan: { polls: 0, end: 'failed', error } });
    const failed = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 1),
    });
    // Zapier replays errors by itself, but never halted runs.
    expect(failed.outcome).toMatchObject({ ok: false, name: 'HaltedError' });
    expect(failed.outcome).toMatchObject({
      message: expect.stringMatching(
        /^Generation gen_\w{26} failed: The safety check withheld the result.* Its credits were refunded\.$/,
      ),
    });
    expect((await user.count()).creditsSpent).toBe(0);
    const again = await user.run('create_video', order, {
      betweenAttempts: money.finishAfter(user, 1),
    });
    expect(results(again)).toMatchObject({ status: 'completed' });
    const paid = { generations: 2, creditsSpent: cost };
    await money.expectPaid(user, paid);
  });

  test('is an error of Find Generation when it waits, and a record when it does not', async () => {
    const user = await money.world.addUser();
    money.world.ark.script({ on: 'task', plan: { polls: 0, end: 'failed' } });
    const created = await user.run('create_video', { ...order, wait: 'false' });
    const { id: generation } = results(created);
    await money.world.finish(user);
    const waiting = await user.run('find_generation', { generation });
    expect(waiting.outcome).toMatchObject({ name: 'AppError' });
    const [found] = results<Values[]>(
      await user.run('find_generation', { generation, wait: false }),
    );
    expect(found).toMatchObject({ status: 'failed', billing_status: 'refunded', file: null });
    expect(found?.['error_code']).toEqual(expect.any(String));
  });
});

describe('the two-step recipe', () => {
  test('creates without waiting, and finds with waiting', async () => {
    const user = await money.world.addUser();
    const created = await user.run('create_video', { ...order, wait: 'no' });
    expect(created.attempts).toBe(1);
    const { id: generation, ...pending } = results(created);
    expect(pending).toMatchObject({ status: 'queued', file: null, file_url: null });
    const betweenAttempts = money.finishAfter(user, 3);
    const found = await user.run('find_generation', { generation }, { betweenAttempts });
    expect(results<Values[]>(found)).toMatchObject([{ id: generation, status: 'completed' }]);
    expect(found.attempts).toBeGreaterThan(1);
    await money.expectPaid(user, {
      generations: 1,
    });
  });
});
