import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { arkRoutes } from '../support/arkRoutes.ts';
import { createTestDatabase } from '../support/database.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';
import { requests } from '../support/gateway.ts';
import { projectRoot, runNode } from '../support/runNode.ts';
import { startProcess, type GatewayProcess } from '../start/gatewayProcess.ts';
import { findPreviousRelease, installCommit } from './support/previousRelease.ts';

/*
 * The release before and this code on one database, as in the middle of a rolling upgrade: the database is
 * migrated while the old processes serve, both serve side by side, and old ones may even start again.
 */
const previous = findPreviousRelease();
const beside = previous === null ? 'no release: this clone has no history' : previous.what;
const database = createTestDatabase();
let folder: string;
let old: string;
let ark: FakeArk;
let settings: Record<string, string>;
let key: string;
const running: GatewayProcess[] = [];

beforeAll(async () => {
  if (previous === null) return;
  folder = await mkdtemp(join(tmpdir(), 'framegate-upgrade-'));
  old = join(folder, 'previous');
  await installCommit(previous.commit, old);
  ark = await startFakeArk();
  settings = {
    MONGODB_URI: database.uri,
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    ...(await arkRoutes(folder, ark)),
  };
}, 600_000);

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  if (previous === null) return;
  await ark.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a whole gateway of this code, or of the old one. @returns requests to it. */
async function start(root: string) {
  const port = String(await freePort());
  const gateway = startProcess({ ...settings, PORT: port }, root);
  running.push(gateway);
  await gateway.untilRunning();
  return {
    gateway,
    customer: (apiKey = key) => requests(`http://127.0.0.1:${port}`, apiKey),
  };
}

async function admin(root: string, line: string): Promise<Record<string, unknown>> {
  const ended = await runNode([join(root, 'gateway/src/admin.ts'), ...line.split(' ')], settings);
  expect(ended).toMatchObject({ status: 0 });
  return JSON.parse(ended.stdout) as Record<string, unknown>;
}

const makeAda = 'account create --email ada@people.example --verified --password a-long-password';

const order = { model: 'alpha-2.0-fast', mode: 'text-to-video' };

/** Creates with one gateway. @returns the id of the generation. */
async function create(by: ReturnType<typeof requests>, prompt: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => by.post('/v1/videos', { ...order, prompt }, headers);
  let made = await send();
  // Told to come again, as a client does.
  await until(async () => {
    if (made.status === 503 || made.status === 429) made = await send();
    return made.status !== 503 && made.status !== 429;
  });
  expect([made.status, made.text]).toEqual([202, expect.any(String)]);
  return String(made.json['id']);
}

/** Creates with one gateway, and looks with the other until it has ended. */
async function orderAndSee(by: ReturnType<typeof requests>, seenBy: ReturnType<typeof requests>) {
  return seenBy.untilEnded(await create(by, 'A paper boat'));
}

(previous === null ? describe.skip : describe)(`beside ${beside}`, () => {
  let first: Awaited<ReturnType<typeof start>>;
  let now: Awaited<ReturnType<typeof start>>;
  let failed: Record<string, unknown>;
  let account: string;
  let again: Awaited<ReturnType<typeof start>>;

  test('the old code works on a database of its own', async () => {
    first = await start(old);
    account = String((await admin(old, makeAda))['account_id']);
    await admin(old, `credits grant --account ${account} --amount 100000`);
    const made = await admin(old, `key create --account ${account} --name shop`);
    key = String(made['api_key']);
    const customer = first.customer();
    expect(await orderAndSee(customer, customer)).toMatchObject({ status: 'completed' });
    ark.script({ prompt: 'A torn sail', on: 'task', plan: { looks: 0, end: 'failed' } });
    failed = await customer.untilEnded(await create(customer, 'A torn sail'));
  });

  test('which is migrated while it serves', async () => {
    const { customer } = first;
    let isMigrated = false;
    let orders = 0;
    // One order after another, by several customers, from before the migration until after it.
    const ordering = async (): Promise<void> => {
      for (let wasMigrated = false; !wasMigrated;) {
        wasMigrated = isMigrated;
        orders += 1;
        expect(await orderAndSee(customer(), customer())).toMatchObject({ status: 'completed' });
      }
    };
    const lanes = [ordering(), ordering(), ordering()];
    const migrated = await admin(projectRoot, 'database migrate');
    isMigrated = true;
    await Promise.all(lanes);
    expect(orders).toBeGreaterThanOrEqual(2 * lanes.length);
    const status = await admin(projectRoot, 'database status');
    expect(status).toMatchObject({
      verdict: migrated['verdict'],
      schema: migrated['schema'],
    });
  });

  test('both take orders, and each sees those of the other', async () => {
    now = await start(projectRoot);
    const [a, b] = [first.customer(), now.customer()];
    const pairs = [
      ...[1, 2, 3].map(() => [a, b] as const),
      ...[1, 2, 3].map(() => [b, a] as const),
    ];
    const ends = await Promise.all(pairs.map(([by, seenBy]) => orderAndSee(by, seenBy)));
    expect(ends.map(({ status }) => status)).toEqual(pairs.map(() => 'completed'));
  });

  test('each takes the keys that the other makes, and an address has one account', async () => {
    for (const [root, { customer }] of [[old, now] as const, [projectRoot, first] as const]) {
      const made = await admin(root, `key create --account ${account} --name another`);
      const { status } = await customer(String(made['api_key'])).get('/v1/models');
      expect(status).toBe(200);
    }
    for (const root of [old, projectRoot]) {
      const again = await runNode(
        [join(root, 'gateway/src/admin.ts'), ...makeAda.split(' ')],
        settings,
      );
      expect(again).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('ada@people.example already exists'),
      });
    }
  });

  test('a failure under the old one has the same refund in both', async () => {
    expect(failed).toMatchObject({ status: 'failed', billing: { refunded_credits: 50 } });
    for (const { customer } of [first, now]) {
      const { json } = await customer().get(`/v1/generations/${String(failed['id'])}`);
      expect(json['billing']).toEqual(failed['billing']);
    }
  });

  test('a repeated create is one order to both', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { ...order, prompt: 'One boat' };
    const [one, two] = [
      await first.customer().post('/v1/videos', body, headers),
      await now.customer().post('/v1/videos', body, headers),
    ];
    expect(two.headers.get('idempotent-replayed')).toBe('true');
    expect(two.text).toBe(one.text);
  });

  test('the old one stops in the middle of orders that both took', async () => {
    const prompts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `Left behind ${name}.`);
    const takers = [first.customer(), now.customer()];
    const made = await Promise.all(
      prompts.map((prompt, index) => {
        const taker = takers[index % takers.length] ?? now.customer();
        return create(taker, prompt);
      }),
    );
    first.gateway.child.kill('SIGTERM');
    // One after the other: a customer polls only so often.
    for (const id of made) {
      expect(await now.customer().untilEnded(id)).toMatchObject({ status: 'completed' });
    }
    expect(prompts.map((prompt) => ark.accepted(prompt))).toEqual(prompts.map(() => 1));
    expect(await first.gateway.ended).toBe(0);
  });

  test('an old process starts again, and finishes its work alone', async () => {
    for (const { gateway } of [first, now]) gateway.child.kill('SIGTERM');
    await Promise.all([first.gateway.ended, now.gateway.ended]);
    again = await start(old);
    expect(await orderAndSee(again.customer(), again.customer())).toMatchObject({
      status: 'completed',
    });
  });

  test('and no credit is lost, to the eyes of either', async () => {
    for (const root of [old, projectRoot]) {
      expect(await admin(root, 'ledger verify')).toMatchObject({ accounts: 1, problems: [] });
    }
  });

  test('once the old one has ended, all migrations run, and keys of both releases still work', async () => {
    again.gateway.child.kill('SIGTERM');
    await again.gateway.ended;
    await admin(projectRoot, 'database migrate');
    expect(await admin(projectRoot, 'database status')).toMatchObject({ verdict: 'same' });
    now = await start(projectRoot);
    expect(await orderAndSee(now.customer(), now.customer())).toMatchObject({
      status: 'completed',
    });
  });
});

(previous === null ? test : test.skip)(
  'there is no history to take the release before from',
  () => {
    process.stderr.write(
      'test/upgrade: a shallow clone; nothing was tried beside the release before\n',
    );
  },
);
