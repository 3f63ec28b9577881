import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { copyTracked } from '../install/installCopy.ts';
import { type GatewayProcess, startProcess } from '../start/gatewayProcess.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { projectRoot, runNode } from '../support/runNode.ts';
import { until } from '../support/until.ts';

/*
 * This code and a made-up next version on one database, as in the middle of a rolling upgrade: the database is migrated
 * while processes of this code serve, both serve side by side, and old ones may even start again. The next version has
 * a migration that only adds, and one that removes an index.
 */
const database = createTestDatabase();
let folder: string;
/** A copy of the project with two more migrations. */
let next: string;
let ark: FakeArk;
let settings: Record<string, string>;
let key: string;
const running: GatewayProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-upgrade-'));
  next = join(folder, 'next');
  await makeNextVersion();
  ark = await startFakeArk();
  settings = {
    MONGODB_URI: database.uri,
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    ...(await arkRoutes(folder, ark)),
  };
});

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  await ark.close();
  await client.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const mongoFolder = 'gateway/src/adapters/mongo';
/** Indexes of accounts that the next version makes and drops. */
const added = 'madeUp';
const removed = 'keyPepper';

async function makeNextVersion(): Promise<void> {
  await mkdir(next);
  await copyTracked(next);
  for (const modules of ['node_modules', 'gateway/node_modules']) {
    await symlink(join(projectRoot, modules), join(next, modules));
  }
  await edit(`${mongoFolder}/migrate.ts`, [
    ['codeVersion = 1;', 'codeVersion = 3;'],
    ['neededVersion = 1;', 'neededVersion = 2;'],
  ]);
  await edit(`${mongoFolder}/migrations/all.ts`, [
    [
      '[init]',
      `[
        init,
        {
          version: 2,
          name: 'an index more',
          worksWith: 0,
          run: async ({ collections }) => {
            await collections.accounts.createIndex({ group: 1 }, { name: '${added}' });
          },
        },
        {
          version: 3,
          name: 'an index less',
          worksWith: 2,
          run: ({ collections }) => collections.accounts.dropIndex('${removed}'),
        },
      ]`,
    ],
  ]);
}

/** Replaces texts, each of which must be there, in a file of the next version. */
async function edit(file: string, replacements: readonly [string, string][]): Promise<void> {
  let code = await readFile(join(next, file), 'utf8');
  for (const [from, to] of replacements) {
    expect(code.split(from)).toHaveLength(2);
    code = code.replace(from, to);
  }
  await writeFile(join(next, file), code);
}

const client = new MongoClient(database.uri);
async function indexNames(): Promise<(string | undefined)[]> {
  const indexes = await client.db(database.name).collection('accounts').indexes();
  return indexes.map(({ name }) => name);
}

/** Starts a whole gateway of this code, or of the next version. @returns Requests to it. */
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

/** Creates with one gateway. @returns The id of the generation. */
async function create(by: ReturnType<typeof requests>, prompt: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => by.post('/v1/videos', { ...order, prompt }, headers);
  let made = await send();
  // Told to retry, as a client does.
  await until(async () => {
    if (made.status === 503 || made.status === 429) made = await send();
    return made.status !== 503 && made.status !== 429;
  });
  expect([made.status, made.text]).toEqual([202, expect.any(String)]);
  return String(made.json['id']);
}

/** Creates with one gateway, and polls with the other until it has ended. */
async function orderAndSee(by: ReturnType<typeof requests>, seenBy: ReturnType<typeof requests>) {
  return seenBy.untilEnded(await create(by, 'A paper boat'));
}

let first: Awaited<ReturnType<typeof start>>;
let newer: Awaited<ReturnType<typeof start>>;
let account: string;
let again: Awaited<ReturnType<typeof start>>;

test('this version works on a database of its own', async () => {
  first = await start(projectRoot);
  account = String((await admin(projectRoot, makeAda))['account_id']);
  await admin(projectRoot, `credits grant --account ${account} --amount 100000`);
  const made = await admin(projectRoot, `key create --account ${account} --name shop`);
  key = String(made['api_key']);
  const customer = first.customer();
  expect(await orderAndSee(customer, customer)).toMatchObject({ status: 'completed' });
});

test('the next version adds to it while this one serves, and its removal waits', async () => {
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
  const migrated = await admin(next, 'database migrate');
  isMigrated = true;
  await Promise.all(lanes);
  expect(orders).toBeGreaterThanOrEqual(2 * lanes.length);
  expect(migrated).toEqual({ migrated: [2], schema: 2, verdict: 'pending' });
  expect(await indexNames()).toEqual(expect.arrayContaining([added, removed]));
});

test('both versions take orders, and each sees the orders of the other', async () => {
  newer = await start(next);
  const [a, b] = [first.customer(), newer.customer()];
  const pairs = [...[1, 2, 3].map(() => [a, b] as const), ...[1, 2, 3].map(() => [b, a] as const)];
  const ends = await Promise.all(pairs.map(([by, seenBy]) => orderAndSee(by, seenBy)));
  expect(ends.map(({ status }) => status)).toEqual(pairs.map(() => 'completed'));
});

test('a repeated create is one order for both versions', async () => {
  const headers = { 'idempotency-key': 'once' };
  const body = { ...order, prompt: 'One boat' };
  const [one, two] = [
    await first.customer().post('/v1/videos', body, headers),
    await newer.customer().post('/v1/videos', body, headers),
  ];
  expect(two.headers.get('idempotent-replayed')).toBe('true');
  expect(two.text).toBe(one.text);
});

test('the old version stops amid orders that both took', async () => {
  const prompts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `Left behind ${name}.`);
  const takers = [first.customer(), newer.customer()];
  const made = await Promise.all(
    prompts.map((prompt, index) => {
      const taker = takers[index % takers.length] ?? newer.customer();
      return create(taker, prompt);
    }),
  );
  first.gateway.child.kill('SIGTERM');
  // One after the other: a customer polls only so often.
  for (const id of made) {
    expect(await newer.customer().untilEnded(id)).toMatchObject({ status: 'completed' });
  }
  expect(prompts.map((prompt) => ark.accepted(prompt))).toEqual(prompts.map(() => 1));
  expect(await first.gateway.ended).toBe(0);
});

test('an old process starts again, and finishes its work alone', async () => {
  for (const { gateway } of [first, newer]) gateway.child.kill('SIGTERM');
  await Promise.all([first.gateway.ended, newer.gateway.ended]);
  again = await start(projectRoot);
  expect(await orderAndSee(again.customer(), again.customer())).toMatchObject({
    status: 'completed',
  });
});

test('no credit is lost in the view of either version', async () => {
  for (const root of [projectRoot, next]) {
    expect(await admin(root, 'ledger verify')).toMatchObject({ accounts: 1, problems: [] });
  }
});

test('once the old version has ended, the removal runs, and the next version continues', async () => {
  again.gateway.child.kill('SIGTERM');
  await again.gateway.ended;
  const migrated = await admin(next, 'database migrate');
  expect(migrated).toEqual({ migrated: [3], schema: 3, verdict: 'same' });
  expect(await indexNames()).not.toContain(removed);
  newer = await start(next);
  expect(await orderAndSee(newer.customer(), newer.customer())).toMatchObject({
    status: 'completed',
  });
});

test('this version refuses the database that has lost a part of its schema, in one line', async () => {
  const refused = startProcess({ ...settings, PORT: String(await freePort()) });
  running.push(refused);
  expect(await refused.ended).toBe(1);
  expect(refused.stderr()).toMatch(/^The database has schema 3, .* a newer release .*\n$/);
});
