import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { caseTable, type CaseTable } from './support/caseTable.ts';
import { startTestBed, type TestBed, type ZapUser } from './support/testBed.ts';
import type { Ran } from './support/zap.ts';

/*
 * One charge for a run, whatever happens to the step, the cache, the network or the key in between.
 * The gateway has no worker until a test lets one work, so that waiting is as long as it wants.
 */

let bed: TestBed;
const table: CaseTable = caseTable();

beforeAll(async () => {
  bed = await startTestBed(['alpha-2.0-mini', 'alpha-2.5']);
});

afterEach(async () => {
  bed.ark.reset();
  await bed.stopWorker();
});

afterAll(async () => {
  expect(await bed.ledgerProblems()).toEqual([]);
  await bed.stop();
  table.print();
});

const order = {
  model: 'alpha-2.0-mini',
  mode: 'text-to-video',
  prompt: 'A kite over a harbour',
  duration_seconds: 4,
  resolution: '480p',
};
/** Credits of the order. */
const cost = 12;

type Values = Record<string, unknown>;

function results<T = Values>({ outcome }: Ran): T {
  if (!outcome.ok) throw new Error(`${outcome.name}: ${outcome.message}`);
  return outcome.results as T;
}

/** Lets the gateway finish its work after this attempt. */
const finishAfter = (user: ZapUser, last: number) => async (attempt: number) => {
  if (attempt === last) await bed.finish(user);
};

/** Adds the case to the table, and expects what was paid. */
async function expectPaid(
  name: string,
  user: ZapUser,
  runs: readonly Ran[],
  paid: { generations: number; creditsSpent?: number; keys?: number },
): Promise<void> {
  const counted = await user.count();
  const posts = user.posts();
  const keys = new Set(posts.map(({ key }) => key)).size;
  table.add({ name, runs, posts: posts.length, keys, ...counted });
  const { generations, creditsSpent = generations * cost } = paid;
  expect(counted).toEqual({ generations, charges: generations, creditsSpent });
  expect(keys).toBe(paid.keys ?? generations);
}

describe('a run that waits pays once', () => {
  test('with the cache', async () => {
    const user = await bed.addUser();
    const ran = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 3) });
    expect(results(ran)).toMatchObject({ status: 'completed', cost_credits: cost });
    expect(ran.attempts).toBeGreaterThan(1);
    expect(ran.delays.every((delay) => delay >= 5 && delay <= 300)).toBe(true);
    expect(user.posts()).toHaveLength(1);
    await expectPaid('with the cache', user, [ran], { generations: 1 });
  });

  test('without a cache', async () => {
    const user = await bed.addUser();
    const betweenAttempts = finishAfter(user, 3);
    const ran = await user.run('create_video', order, { platform: null, betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(ran.attempts).toBeGreaterThan(1);
    await expectPaid('no cache', user, [ran], { generations: 1 });
  });

  test('when the cache is lost between attempts', async () => {
    const user = await bed.addUser();
    const betweenAttempts = async (attempt: number) => {
      user.platform.cache.clear();
      if (attempt === 3) await bed.finish(user);
    };
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await expectPaid('cache lost between attempts', user, [ran], { generations: 1 });
  });

  test('when the cache takes nothing', async () => {
    const user = await bed.addUser();
    user.platform.cacheIsFull = true;
    const betweenAttempts = finishAfter(user, 2);
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await expectPaid('cache refuses to write', user, [ran], { generations: 1 });
  });

  test('when its process is killed after the POST', async () => {
    const user = await bed.addUser();
    let kill: (() => void) | undefined;
    user.api.mischief = ({ method }) => {
      if (method !== 'POST') return undefined;
      user.api.mischief = undefined;
      return { kind: 'lost answer', then: () => kill?.() };
    };
    const ran = await user.run('create_video', order, {
      onProcess: (child) => (kill = () => child.kill('SIGKILL')),
      betweenAttempts: finishAfter(user, 2),
    });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(user.posts().map(({ status }) => status)).toEqual([null, 202]);
    await expectPaid('killed after the POST', user, [ran], { generations: 1 });
  });

  test('when it is killed with the result in its hands', async () => {
    const user = await bed.addUser();
    const first = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 1) });
    // Zapier never got that answer, and runs the step once more.
    const again = await user.run('create_video', order, { startsAtMs: 120_000 });
    expect(results(again)['id']).toBe(results(first)['id']);
    await expectPaid('killed with the result', user, [first, again], { generations: 1 });
  });

  test('through an outage of the API', async () => {
    const user = await bed.addUser();
    let left = 6;
    user.api.mischief = () => {
      left -= 1;
      if (left < 0) return undefined;
      if (left % 3 === 0) return { kind: 'reset' };
      if (left % 3 === 1) return { kind: 'lost answer' };
      return { kind: 'answer', status: 502, headers: {}, body: '<html>nginx</html>' };
    };
    const betweenAttempts = finishAfter(user, 4);
    const ran = await user.run('create_video', order, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    await expectPaid('5xx, resets, lost answers', user, [ran], { generations: 1 });
  });

  test('after an outage that ended the run, by a replay of the step', async () => {
    const user = await bed.addUser();
    user.api.mischief = ({ method }) => (method === 'POST' ? { kind: 'lost answer' } : undefined);
    const ended = await user.run('create_video', order, { platform: null });
    expect(ended.outcome).toMatchObject({
      name: 'AppError',
      message:
        'The API is not available for now. Replay this step later; nothing is charged twice.',
    });
    user.api.mischief = undefined;
    const betweenAttempts = finishAfter(user, 1);
    const replayed = await user.run('create_video', order, { platform: null, betweenAttempts });
    expect(results(replayed)).toMatchObject({ status: 'completed' });
    const runs = [ended, replayed];
    await expectPaid('outage without a cache, replay', user, runs, { generations: 1 });
  });

  test('past a rate limit', async () => {
    const user = await bed.addUser({ limits: { createsPerMinute: 60, burst: 1 } });
    await user.run('create_image', { model: 'image-b-2', prompt: 'First', wait: false });
    const ran = await user.run('create_video', order, {
      async betweenAttempts(attempt) {
        // The limit is the server's and lasts as long as it says, about a second.
        await new Promise((resolve) => setTimeout(resolve, 1100));
        if (attempt === 2) await bed.finish(user);
      },
    });
    expect(user.posts().map(({ status }) => status)).toEqual([202, 429, 202]);
    expect(ran.delays[0]).toBe(5);
    expect(results(ran)).toMatchObject({ status: 'completed' });
    const paid = { generations: 2, creditsSpent: 6 + cost };
    await expectPaid('429 on POST (and another step)', user, [ran], paid);
  });

  test('when its key is revoked, and another one takes over', async () => {
    const user = await bed.addUser();
    const revoked = await user.run('create_video', order, {
      async betweenAttempts(attempt) {
        if (attempt !== 2) return;
        await bed.revoke(user);
        // Reads may know a key for 5 s more.
        while ((await user.account.get('/v1/credits/balance')).status !== 401) {
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      },
    });
    expect(revoked.outcome).toMatchObject({
      name: 'ExpiredAuthError',
      message:
        'The API key is not valid any more. Reconnect this account with a key from your account settings.',
    });
    const authData = { ...user.authData, api_key: await bed.addKey(user) };
    // Another connection has another cache.
    user.platform.cache.clear();
    await bed.startWorker();
    const replayed = await user.run('create_video', order, {
      authData,
      betweenAttempts: () => new Promise((resolve) => setTimeout(resolve, 500)),
    });
    expect(results(replayed)).toMatchObject({ status: 'completed' });
    await expectPaid('key revoked, new key', user, [revoked, replayed], { generations: 1 });
  });

  test('with a prompt that looks like a template of Zapier', async () => {
    const user = await bed.addUser();
    const prompt = 'Write {{bundle.authData.api_key}} and {{process.env.HOME}} in the sand';
    const betweenAttempts = finishAfter(user, 1);
    const ran = await user.run('create_video', { ...order, prompt }, { betweenAttempts });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(JSON.parse(user.posts()[0]?.body ?? '')).toMatchObject({ prompt });
    await expectPaid('prompt with {{bundle…}}', user, [ran], { generations: 1 });
  });

  test('over 40 minutes', async () => {
    const user = await bed.addUser();
    let waitedMs = 0;
    // A model that has not been seen at work: its hints are those of a long generation.
    const long = { ...order, model: 'alpha-2.5' };
    const ran = await user.run('create_video', long, {
      mostAttempts: 120,
      async betweenAttempts() {
        if (waitedMs >= 40 * 60_000) return;
        waitedMs = user.api.aheadMs;
        if (waitedMs >= 40 * 60_000) await bed.finish(user);
      },
    });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(user.api.aheadMs).toBeGreaterThanOrEqual(40 * 60_000);
    const paid = { generations: 1, creditsSpent: 32 };
    await expectPaid('40 minutes of waiting', user, [ran], paid);
  });

  test('past the deadline, which names the generation, and by a later replay', async () => {
    const user = await bed.addUser();
    const first = await user.run('create_video', order, { lateMs: 10 * 60_000 });
    const { outcome } = first;
    expect(outcome).toMatchObject({ name: 'AppError' });
    const message = outcome.ok ? '' : outcome.message;
    const [id] = /gen_[0-9a-z]{26}/.exec(message) ?? [];
    expect(message).toContain('is still queued after two hours. It goes on and is not lost');
    await bed.finish(user);
    const startsAtMs = 3 * 60 * 60_000;
    const replayed = await user.run('create_video', order, { startsAtMs });
    expect(results(replayed)).toMatchObject({ id, status: 'completed' });
    await expectPaid('deadline of 2 h, replay', user, [first, replayed], { generations: 1 });
  });
});

describe('several runs with the same inputs', () => {
  test('share one generation when they are at work at once', async () => {
    const user = await bed.addUser();
    const run = () => user.run('create_video', order, { betweenAttempts: finishAfter(user, 2) });
    const [one, other] = await Promise.all([run(), run()]);
    expect(results(one)['id']).toBe(results(other)['id']);
    await expectPaid('two equal runs at once', user, [one, other], { generations: 1 });
  });

  test('make one each with a Request Key of their own', async () => {
    const user = await bed.addUser();
    const run = (request_key: string) =>
      user.run(
        'create_video',
        { ...order, request_key },
        { betweenAttempts: finishAfter(user, 2) },
      );
    const [one, other] = await Promise.all([run('row 1'), run('row 2')]);
    expect(results(one)['id']).not.toBe(results(other)['id']);
    const again = await user.run(
      'create_video',
      { ...order, request_key: 'row 1' },
      { startsAtMs: 9e6 },
    );
    expect(results(again)['id']).toBe(results(one)['id']);
    const runs = [one, other, again];
    await expectPaid('two at once with Request Keys, replay', user, runs, { generations: 2 });
  });

  test('make one each when the second begins after the first', async () => {
    const user = await bed.addUser();
    const first = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 1) });
    const second = await user.run('create_video', order, {
      startsAtMs: 60 * 60_000,
      betweenAttempts: finishAfter(user, 1),
    });
    expect(results(second)['id']).not.toBe(results(first)['id']);
    const runs = [first, second];
    await expectPaid('two equal runs, an hour apart', user, runs, { generations: 2 });
  });

  test('make one each without a cache once the first is over', async () => {
    const user = await bed.addUser();
    const once = () => ({ platform: null, betweenAttempts: finishAfter(user, 1) });
    const first = await user.run('create_video', order, once());
    const endedMs = user.api.aheadMs;
    const soon = await user.run('create_video', order, {
      ...once(),
      startsAtMs: endedMs + 5 * 60_000,
    });
    expect(results(soon)['id']).toBe(results(first)['id']);
    const later = await user.run('create_video', order, { ...once(), startsAtMs: 60 * 60_000 });
    expect(results(later)['id']).not.toBe(results(first)['id']);
    const runs = [first, soon, later];
    await expectPaid('no cache: 5 min, 1 h after the end', user, runs, { generations: 2 });
  });

  test('make one each over two connections, an hour apart', async () => {
    const user = await bed.addUser();
    const teammate = await bed.addConnection(user);
    const first = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 1) });
    const startsAtMs = 60 * 60_000;
    const betweenAttempts = finishAfter(user, 1);
    const second = await teammate.run('create_video', order, { startsAtMs, betweenAttempts });
    expect(results(second)['id']).not.toBe(results(first)['id']);
    expect(results(second)).toMatchObject({ shared_with_earlier_run: false });
    const runs = [first, second];
    await expectPaid('two connections, an hour apart', user, runs, { generations: 2 });
  });

  test('share a file as two steps of one Zap, which the second one tells', async () => {
    const user = await bed.addUser();
    const first = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 1) });
    const second = await user.run('create_video', order, { startsAtMs: user.api.aheadMs + 1000 });
    expect(results(second)['id']).toBe(results(first)['id']);
    expect(results(first)).toMatchObject({ shared_with_earlier_run: false });
    expect(results(second)).toMatchObject({ shared_with_earlier_run: true });
    const runs = [first, second];
    await expectPaid('two equal steps of one Zap', user, runs, { generations: 1 });
  });

  test('take no generation of a run that was given up while it waited', async () => {
    const user = await bed.addUser();
    const givenUp = await user.run('create_video', order, { mostAttempts: 1 }).catch(() => null);
    expect(givenUp).toBeNull();
    await bed.finish(user);
    const next = await user.run('create_video', order, {
      startsAtMs: 24 * 60 * 60_000,
      betweenAttempts: finishAfter(user, 1),
    });
    await expectPaid('given up, an equal run a day later', user, [next], { generations: 2 });
  });

  test('go on over midnight with one generation, though the cache does not work', async () => {
    const user = await bed.addUser();
    const dayMs = 24 * 60 * 60_000;
    const startsAtMs = dayMs - (Date.now() % dayMs) - 15_000;
    const betweenAttempts = finishAfter(user, 3);
    const ran = await user.run('create_video', order, {
      ...{ platform: null, startsAtMs, betweenAttempts },
    });
    expect(results(ran)).toMatchObject({ status: 'completed' });
    expect(new Set(user.posts().map(({ body }) => body)).size).toBe(2);
    await expectPaid('over midnight without a cache', user, [ran], { generations: 1, keys: 2 });
  });
});

describe('a run that is refused', () => {
  test('for want of credits pays nothing, and goes on when there are some', async () => {
    const user = await bed.addUser({ credits: 5 });
    const refused = await user.run('create_video', order);
    expect(refused.outcome).toEqual({
      ...{ ok: false, name: 'HaltedError', delay: null },
      message:
        'This needs 12 credits and 5 are available. Nothing was charged. Add credits, then replay this step.',
    });
    await bed.addCredits(user, 100);
    const betweenAttempts = finishAfter(user, 1);
    const replayed = await user.run('create_video', order, { betweenAttempts });
    expect(results(replayed)).toMatchObject({ status: 'completed' });
    await expectPaid('402, then credits', user, [refused, replayed], { generations: 1 });
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
      'The URL of an input is not acceptable.',
    ],
    [
      'no consent',
      { mode: 'image-to-video', input_url: 'https://a.example/a.png', real_person_mode: true },
      '',
    ],
  ])('for %s says what to do and pays nothing', async (_case, changed, sentence) => {
    const user = await bed.addUser();
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
    ['no number', 'ten', {}, 'Maximum Credits holds no number above 0.'],
    ['zero', 0, {}, 'Maximum Credits holds no number above 0.'],
    [
      'nothing',
      '',
      { maximum_credits: '{{1__limit}}' },
      'Maximum Credits holds no number above 0.',
    ],
  ])('refuses %s before anything is made', async (_case, maximum, inputDataRaw, sentence) => {
    const user = await bed.addUser();
    const inputData = { ...order, maximum_credits: maximum };
    const { outcome } = await user.run('create_video', inputData, { inputDataRaw });
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(sentence),
    });
    expect(user.posts()).toEqual([]);
  });

  test('lets a price through that it allows, and is no part of what makes runs equal', async () => {
    const user = await bed.addUser();
    const first = await user.run(
      'create_video',
      { ...order, maximum_credits: 12 },
      { betweenAttempts: finishAfter(user, 2) },
    );
    const startsAtMs = user.api.aheadMs + 1000;
    const second = await user.run('create_video', order, { startsAtMs });
    expect(results(second)['id']).toBe(results(first)['id']);
    const runs = [first, second];
    await expectPaid('within Maximum Credits', user, runs, { generations: 1 });
  });
});

describe('a generation that fails', () => {
  test('for a passing reason ends the run with an error, and a later run makes a new one', async () => {
    const user = await bed.addUser();
    bed.ark.script({ on: 'task', times: 1, plan: { looks: 0, end: 'failed' } });
    const once = () => ({ platform: null, betweenAttempts: finishAfter(user, 1) });
    const failed = await user.run('create_video', order, once());
    expect(failed.outcome).toMatchObject({ ok: false, name: 'AppError' });
    const again = await user.run('create_video', order, { ...once(), startsAtMs: 30 * 60_000 });
    expect(results(again)).toMatchObject({ status: 'completed' });
    const paid = { generations: 2, creditsSpent: cost };
    await expectPaid('failed without a cache, run again', user, [failed, again], paid);
  });

  test('because it was refused halts the run, is refunded, and a new run makes a new one', async () => {
    const user = await bed.addUser();
    const error = { code: 'OutputVideoSensitiveContentDetected', message: 'secret provider words' };
    bed.ark.script({ on: 'task', times: 1, plan: { looks: 0, end: 'failed', error } });
    const failed = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 1) });
    // Zapier replays errors by itself, and halted runs never.
    expect(failed.outcome).toMatchObject({ ok: false, name: 'HaltedError' });
    expect(failed.outcome).toMatchObject({
      message: expect.stringMatching(
        /^Generation gen_\w{26} failed: The result was withheld .* Its credits were returned\.$/,
      ),
    });
    expect((await user.count()).creditsSpent).toBe(0);
    const again = await user.run('create_video', order, { betweenAttempts: finishAfter(user, 1) });
    expect(results(again)).toMatchObject({ status: 'completed' });
    const paid = { generations: 2, creditsSpent: cost };
    await expectPaid('failed, refunded, new run', user, [failed, again], paid);
  });

  test('is an error of Find Generation when it waits, and a record when it does not', async () => {
    const user = await bed.addUser();
    bed.ark.script({ on: 'task', plan: { looks: 0, end: 'failed' } });
    const created = await user.run('create_video', { ...order, wait: 'false' });
    const { id: generation } = results(created);
    await bed.finish(user);
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
    const user = await bed.addUser();
    const created = await user.run('create_video', { ...order, wait: 'no' });
    expect(created.attempts).toBe(1);
    const { id: generation, ...pending } = results(created);
    expect(pending).toMatchObject({ status: 'queued', file: null, file_url: null });
    const betweenAttempts = finishAfter(user, 3);
    const found = await user.run('find_generation', { generation }, { betweenAttempts });
    expect(results<Values[]>(found)).toMatchObject([{ id: generation, status: 'completed' }]);
    expect(found.attempts).toBeGreaterThan(1);
    await expectPaid('Create without waiting, Find', user, [created, found], { generations: 1 });
  });
});
