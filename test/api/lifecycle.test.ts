import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, sum } from '@framegate/contract';
import { video } from '../support/bodies.ts';
import type { TestAccount } from '../support/gateway.ts';
import { testTogether } from '../support/testTogether.ts';
import { until } from '../support/until.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';

async function create(account: TestAccount, prompt: string, fields = {}): Promise<string> {
  const { status, json, text } = await account.post('/v1/videos', video({ prompt, ...fields }));
  if (status !== 202) throw new Error(text);
  return String(json['id']);
}

const refunded = { billing: { status: 'refunded', refunded_credits: 30 } };

describe('a generation with a provider', () => {
  const world = useArkGateway({
    env: { WAITING_DEADLINE_SECONDS: '3600', VIDEO_DEADLINE_SECONDS: '3600,beta-3.0=1' },
    timings: { upkeepEveryMs: 1_000 },
  });
  let { ark, gateway } = {} as ArkGateway;
  beforeAll(() => {
    ({ ark, gateway } = world());
  });

  const failing = [
    ['fails', { polls: 1, end: 'failed' }],
    ['is cancelled there', { polls: 0, end: 'cancelled' }],
    ['ends without a file', { polls: 0, end: 'succeeded without a video' }],
  ] as const;
  const failures = failing.map(([name, plan]): [string, () => Promise<void>] => [
    `that ${name} is failed and refunded`,
    async () => {
      const account = await gateway.addAccount({ credits: 30 });
      ark.script({ on: 'task', prompt: name, plan });
      const record = await account.untilEnded(await create(account, name));
      const error = { code: 'generation_failed' };
      expect(record).toMatchObject({ status: 'failed', error, ...refunded });
      expect((await account.get('/v1/credits/balance')).json).toMatchObject({ available: 30 });
    },
  ]);

  testTogether({
    'queued, processing, completed; charged once': async () => {
      const account = await gateway.addAccount({ credits: 30 });
      const prompt = 'seen at work';
      ark.script({ on: 'task', prompt, plan: { polls: 3, end: 'succeeded' } });
      const id = await create(account, prompt);
      const seen = new Set<unknown>();
      await until(async () => {
        const { json } = await account.get(`/v1/generations/${id}`);
        seen.add(json['status']);
        return json['status'] === 'completed';
      });
      expect([...seen].slice(-2)).toEqual(['processing', 'completed']);
      expect(ark.accepted(prompt)).toBe(1);
      const { json } = await account.get('/v1/credits/balance');
      expect(json).toMatchObject({ available: 0, in_flight: 0 });
    },

    ...Object.fromEntries(failures),

    'an unknown outcome is failed and refunded at once, and never sent again (I6)': async () => {
      const account = await gateway.addAccount({ credits: 30 });
      const prompt = 'lost reply';
      ark.script({
        on: 'submit',
        prompt,
        fault: { kind: 'accept, then', fault: { kind: 'drop' } },
      });
      const record = await account.untilEnded(await create(account, prompt));
      expect(record).toMatchObject({ status: 'failed', error: { code: 'generation_failed' } });
      expect(ark.submitted().filter((each) => each.prompt === prompt)).toHaveLength(1);
    },

    'trouble with polling never ends it': async () => {
      const account = await gateway.addAccount({ credits: 30 });
      const once = { prompt: 'troubled', times: 1 };
      ark.script(
        { ...once, on: 'poll', fault: { kind: 'html', status: 502 } },
        { ...once, on: 'poll', fault: { kind: 'drop' } },
        { ...once, on: 'poll', fault: { kind: 'empty', status: 200 } },
        { ...once, on: 'media', fault: { kind: 'cut' } },
      );
      const record = await account.untilEnded(await create(account, 'troubled'));
      expect(record).toMatchObject({ status: 'completed' });
      expect(ark.accepted('troubled')).toBe(1);
    },

    'at its running deadline it is failed as timed out and refunded': async () => {
      const account = await gateway.addAccount();
      ark.script({ on: 'task', prompt: 'endless', plan: { polls: 0, end: 'never' } });
      const id = await create(account, 'endless', { model: 'beta-3.0' });
      expect(await account.untilEnded(id)).toMatchObject({
        status: 'failed',
        error: { code: 'generation_timeout' },
        billing: { status: 'refunded' },
      });
    },
  });

  test('a busy provider is asked again, and takes it once', async () => {
    const account = await gateway.addAccount({ credits: 30 });
    const fault = { kind: 'error' as const, status: 429, code: 'TooManyRequests' };
    ark.script({ on: 'submit', times: 1, fault });
    const id = await create(account, 'later');
    const { database } = gateway;
    await until(async () => (await database.generations.find(id))?.step === 'parked');
    // No provider has it now, so the waiting deadline applies again.
    const parked = await database.generations.find(id);
    expect(parked?.startedAt).toBeNull();
    expect(parked?.deadlineAt).toBe((parked?.createdAt ?? 0) + hourMs);
    const record = await account.untilEnded(id);
    expect(record).toMatchObject({ status: 'completed' });
    expect(ark.accepted('later')).toBe(1);
  });

  test('leaves a correct ledger and no job', () => isAtRest(gateway));
});

describe('running and waiting', () => {
  const world = useArkGateway({
    provider: { maxConcurrent: 3 },
    env: { WAITING_DEADLINE_SECONDS: '3600,alpha-2.5-lite=1' },
  });
  let { ark, gateway } = {} as ArkGateway;
  beforeAll(() => {
    ({ ark, gateway } = world());
  });

  testTogether({
    'as many run as the account may, the others wait and are started oldest first': async () => {
      const account = await gateway.addAccount({ limits: { running: 1 } });
      ark.script({ on: 'task', prompt: 'turn', plan: { polls: 1, end: 'succeeded' } });
      const ids: string[] = [];
      for (const number of [1, 2, 3, 4]) ids.push(await create(account, `turn ${number}`));
      const records = await Promise.all(ids.map((id) => account.untilEnded(id)));
      expect(records.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
      const order = ark.submitted().map(({ prompt }) => prompt);
      expect(order.filter((prompt) => prompt.startsWith('turn'))).toEqual([
        'turn 1',
        'turn 2',
        'turn 3',
        'turn 4',
      ]);
    },

    'one that is not started within its waiting deadline is failed and refunded': async () => {
      const account = await gateway.addAccount({ limits: { running: 1 } });
      ark.script({ prompt: 'holds', on: 'task', plan: { polls: 4, end: 'succeeded' } });
      const holder = await create(account, 'holds the slot');
      const late = await create(account, 'too late', { model: 'alpha-2.5-lite' });
      expect(await account.untilEnded(late)).toMatchObject({
        status: 'failed',
        error: { code: 'capacity_exceeded' },
        billing: { status: 'refunded' },
      });
      expect(ark.accepted('too late')).toBe(0);
      await account.untilEnded(holder);
    },
  });

  test('a provider never gets more than its limit, and accounts take turns', async () => {
    const [busy, quiet] = [await gateway.addAccount(), await gateway.addAccount()];
    ark.script({ on: 'task', plan: { polls: 1, end: 'succeeded' } });
    const many = await Promise.all(
      Array.from({ length: 9 }, (_, number) => create(busy, `busy ${number}`)),
    );
    const few = await create(quiet, 'quiet');
    let max = 0;
    await until(async () => {
      const { generations } = gateway.collections;
      const step = { $in: ['submitting', 'submitted'] } as const;
      const count = await generations.countDocuments({
        open: true,
        step,
        'attempts.provider': 'ark',
      });
      max = Math.max(max, count);
      return (await quiet.get(`/v1/generations/${few}`)).json['status'] === 'completed';
    });
    const ended = await Promise.all(many.map((id) => busy.get(`/v1/generations/${id}`)));
    const open = ended.filter(({ json }) => json['status'] !== 'completed');
    expect(open.length).toBeGreaterThan(0);
    await Promise.all(many.map((id) => busy.untilEnded(id)));
    expect(max).toBeLessThanOrEqual(3);
    expect(max).toBeGreaterThan(0);
  });

  test('leaves a correct ledger and no job', () => isAtRest(gateway));
});

/** Expects that no work is in progress and that the books are correct. */
async function isAtRest({ database, collections }: ArkGateway['gateway']): Promise<void> {
  await until(async () => (await collections.generations.countDocuments({ open: true })) === 0);
  for (const account of await collections.accounts.find().toArray()) {
    expect(account).toMatchObject({ running: 0, waiting: 0, inFlightCredits: 0 });
    const entries = await database.ledger.find(account._id);
    const total = sum(entries.map(({ amount }) => amount));
    const lots = account['lots'] as { remaining: number }[];
    expect(total).toBe(sum(lots.map(({ remaining }) => remaining)));
  }
  await until(
    async () => (await collections.jobs.countDocuments({ name: 'generation.run' })) === 0,
  );
}
