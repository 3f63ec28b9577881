import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { formatMonthEnd } from '../../gateway/src/domain/credits/monthlyLimits.ts';
import { monthNumberOf } from '../../gateway/src/domain/time/utcMonth.ts';
import { video } from '../support/bodies.ts';
import { freePort } from '../support/freePort.ts';
import {
  requests,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../support/gateway.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';

/*
 * The attack: a member of a team, or whoever has found a key, spends beyond a monthly limit by many creates at once
 * through several processes, or by refunds that count twice. A text-to-video of `video()` costs 30.
 */

type Holder = 'key' | 'member';

/** An account whose key, or the member who made it, has a monthly limit and has spent something. */
async function addLimited(gateway: TestGateway, holder: Holder, limit: number, spent = 0) {
  const account = await gateway.addAccount({ credits: 10_000 });
  const { collections, clock } = gateway;
  const month = monthNumberOf(clock.now());
  const bounds = {
    monthlyCredits: limit,
    ...(spent > 0 && { monthSpent: { month, credits: spent } }),
  };
  const [id, email] = ['acct_maker', 'maker@example.com'];
  const member = { id, email, role: 'member' as const, joinedAt: new Date(0) };
  const _id = account.accountId;
  const { keys = [] } = (await collections.accounts.findOne({ _id })) ?? {};
  const isKey = holder === 'key';
  await collections.accounts.updateOne(
    { _id },
    {
      $set: {
        keys: keys.map((key) => ({ ...key, madeBy: { id, email }, ...(isKey && bounds) })),
        members: [{ ...member, ...(!isKey && bounds) }],
      },
      $inc: { version: 1 },
    },
  );
  return account;
}

/** The credits that currently count against the limit. */
async function countOf({ database }: TestGateway, holder: Holder, account: TestAccount) {
  const found = (await database.accounts.find(account.accountId)) as Account;
  const [of] = holder === 'key' ? found.keys : (found.members ?? []);
  return of?.monthSpent?.credits ?? 0;
}

const holders = ['key', 'member'] as const;

describe('two processes', () => {
  let one: TestGateway;
  let two: TestGateway;
  beforeAll(async () => {
    one = await startTestGateway({ ROLE: 'api' });
    two = await startTestGateway({ ...one.env, PORT: String(await freePort()) });
  });
  afterAll(async () => {
    // Not `two.stop()`: the database is that of the first.
    await two.halt();
    await one.stop();
  });

  test.each(holders)('never exceed the monthly limit of a %s together', async (holder) => {
    const account = await addLimited(one, holder, 100);
    const other = requests(two.origin, account.apiKey);
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_each, index) =>
        (index % 2 === 0 ? account : other).post('/v1/videos', video()),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(3);
    expect(statuses.filter((status) => status === 402)).toHaveLength(27);
    expect(await countOf(one, holder, account)).toBe(90);
    expect((await account.get('/v1/credits/balance')).json).toMatchObject({ available: 9_910 });
  });

  test.each([
    ['key', 'This API key'],
    ['member', 'This member of the team'],
  ] as const)('refuse beyond that of a %s with the limit and its end', async (holder, words) => {
    const account = await addLimited(one, holder, 1_000, 980);
    const refused = await account.post('/v1/videos', video());
    const end = formatMonthEnd(one.clock.now());
    expect([refused.status, refused.json['error']]).toMatchObject([
      402,
      {
        code: 'key_limit_reached',
        retryable: false,
        message: expect.stringContaining(
          `${words} can spend 1000 credits per month and has 20 left until the month ends (${end})`,
        ),
      },
    ]);
  });

  test.each(holders)('adopt a new month for a %s', async (holder) => {
    const account = await addLimited(one, holder, 100, 100);
    const path = holder === 'key' ? 'keys.0.monthSpent.month' : 'members.0.monthSpent.month';
    await one.collections.accounts.updateOne(
      { _id: account.accountId },
      {
        $inc: { [path]: -1, version: 1 },
      },
    );
    expect((await account.post('/v1/videos', video())).status).toBe(202);
    expect(await countOf(one, holder, account)).toBe(30);
  });
});

describe('failed generations', () => {
  const world = useArkGateway();
  let { ark, gateway } = {} as ArkGateway;
  beforeAll(() => {
    ({ ark, gateway } = world());
    const code = 'InputTextSensitiveContentDetected';
    ark.script({ on: 'submit', fault: { kind: 'error', status: 400, code } });
  });

  test.each(holders)('return each amount to a %s exactly once', async (holder) => {
    const account = await addLimited(gateway, holder, 200, 50);
    const created = await Promise.all(
      Array.from({ length: 5 }, () => account.post('/v1/videos', video())),
    );
    expect(created.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    for (const { json } of created) {
      expect(await account.untilEnded(String(json['id']))).toMatchObject({ status: 'failed' });
    }
    expect(await countOf(gateway, holder, account)).toBe(50);
    expect((await account.get('/v1/credits/balance')).json).toMatchObject({ available: 10_000 });
  });
});
