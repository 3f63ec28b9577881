import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeAccount, targetById } from '../../gateway/src/application/accounts/changeAccount.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { imageInput, video } from '../support/bodies.ts';
import { type AccountOptions, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/** Holds requests that reach a step until the gate is opened. */
function createGate() {
  let open: () => void = () => undefined;
  let opened: Promise<void> | null = null;
  let held = 0;
  return {
    close() {
      held = 0;
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    open() {
      opened = null;
      open();
    },
    held: () => held,
    async pass() {
      if (!opened) return;
      held += 1;
      await opened;
    },
  };
}

const before = createGate();
const after = createGate();
const gates: Partial<Record<FaultPoint, typeof before>> = {
  'create.beforeTransaction': before,
  'create.beforeResponse': after,
};
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' }, (point) => gates[point]?.pass());
});
afterAll(async () => {
  expect(gateway.errors).toEqual([]);
  await gateway.stop();
});

const noHosts = (account: Account): Account => ({
  ...account,
  keys: account.keys.map((key) => ({ ...key, hosts: [] })),
});
const noModels = (account: Account): Account => ({
  ...account,
  keys: account.keys.map((key) => ({ ...key, models: ['beta-3.0'] })),
});
const nothing = (account: Account): Account => account;

const host = 'media.example.com';
const withInput = video({ mode: 'image-to-video', inputs: [imageInput(`https://${host}/a.png`)] });
/** Orders that an account can pay for only once, lost while its client waits. */
const lasts: [string, object, AccountOptions, (account: Account) => Account][] = [
  ['its last credits', video(), { credits: 30 }, nothing],
  ['its last place', video(), { limits: { running: 1, waiting: 0 } }, nothing],
  [
    'its last create of the minute',
    video(),
    { limits: { createsPerMinute: 1, burst: 1 } },
    nothing,
  ],
  ['a host since revoked', withInput, { hosts: [host] }, noHosts],
  ['a model since revoked', video(), {}, noModels],
];

describe('a client that repeats a create which timed out gets its replay', () => {
  test.each(lasts)('although the first one used %s', async (_what, body, options, revoke) => {
    const account = await gateway.addAccount(options);
    const { database, db } = gateway;
    const key = { 'idempotency-key': 'the-only-one' };
    await db.command({ profile: 2 });
    // The field's name contains a dot, which a filter could not match.
    const lookUps = async () => {
      const found = await db.collection('system.profile').find({ op: 'query' }).toArray();
      return found.filter(({ command }) => JSON.stringify(command).includes('replay.scope')).length;
    };
    const earlier = await lookUps();
    before.close();
    after.close();
    const first = account.post('/v1/videos', body, key);
    await until(() => before.held() === 1, 'the first one is about to be committed');
    const second = account.post('/v1/videos', body, key);
    await until(async () => (await lookUps()) >= earlier + 2, 'the second one found no replay');
    before.open();
    await until(() => after.held() === 1, 'the first one is committed');
    await changeAccount(database, targetById(database, account.accountId), (found) => ({
      after: revoke(found),
    }));
    after.open();
    await db.command({ profile: 0 });
    const [one, two] = await Promise.all([first, second]);
    expect([one.status, two.status]).toEqual([202, 202]);
    expect(two.text).toBe(one.text);
    expect(two.headers.get('idempotent-replayed')).toBe('true');
    const later = await account.post('/v1/videos', body, key);
    expect([later.status, later.text]).toEqual([202, one.text]);
  });
});

test('a key that expired and was reused is not freed by a request that saw its old use', async () => {
  const account = await gateway.addAccount();
  const { database, collections } = gateway;
  const first = await account.post('/v1/videos', video(), { 'idempotency-key': 'old' });
  expect(first.status).toBe(202);
  const stored = await collections.generations.findOne({ _id: String(first.json['id']) });
  const { scope } = stored?.['replay'] as { scope: string };
  // Like a late request that has read an outdated response.
  await database.generations.releaseReplay(scope);
  expect(await database.generations.findReplay(scope)).toMatchObject({ scope });
});
