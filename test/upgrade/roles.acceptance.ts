import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startProcess } from '../start/gatewayProcess.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { projectRoot, runNode } from '../support/runNode.ts';

/* Only the rights of the table in docs/operating/storage.md. */
const database = createTestDatabase();
const client = new MongoClient(database.uri);
const db = client.db(database.name);
let folder: string;
let ark: FakeArk;
let settings: Record<string, string>;

/** The actions that the page names for a user. */
async function actionsOf(row: string): Promise<string[]> {
  const page = await readFile(join(projectRoot, 'docs/operating/storage.md'), 'utf8');
  const [, cells = ''] =
    new RegExp(`^\\| [^|]*\`${row}\`[^|]*\\|([^|]*)\\|$`, 'm').exec(page) ?? [];
  const actions = [...cells.matchAll(/`(\w+)`/g)].map(([, action]) => action ?? '');
  expect(actions.length).toBeGreaterThan(2);
  return actions;
}

/** Makes a user with only these actions on the database. @returns Its connection string. */
async function makeUser(user: string, actions: string[]): Promise<string> {
  const privileges = [{ resource: { db: database.name, collection: '' }, actions }];
  await db.command({ createRole: user, privileges, roles: [] });
  const pwd = randomUUID();
  await db.command({ createUser: user, pwd, roles: [user] });
  const uri = new URL(database.uri);
  [uri.username, uri.password] = [user, pwd];
  uri.searchParams.set('authSource', database.name);
  return uri.href;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-roles-'));
  ark = await startFakeArk();
  const process = await actionsOf('ROLE=worker');
  const migration = await actionsOf('admin database migrate');
  const uri = await makeUser('process', process);
  const migrationUri = await makeUser('migration', [...process, ...migration]);
  settings = { MONGODB_URI: uri, DATA_DIR: folder, ...(await arkRoutes(folder, ark)) };
  const early = await admin('database migrate');
  expect(early.stderr).toContain('not authorized');
  expect(await admin('database migrate', migrationUri)).toMatchObject({ status: 0 });
});
afterAll(async () => {
  await ark.close();
  await db.command({ dropAllUsersFromDatabase: 1 });
  await db.command({ dropAllRolesFromDatabase: 1 });
  await client.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const admin = (line: string, uri?: string) =>
  runNode(['gateway/src/admin.ts', ...line.split(' ')], {
    ...settings,
    ...(uri !== undefined && { MONGODB_URI: uri }),
  });
const made = async (line: string) => {
  const { status, stdout, stderr } = await admin(line);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, string>;
};

test('a whole gateway works with these rights, from the first account to the end of a video', async () => {
  const port = String(await freePort());
  const gateway = startProcess({ ...settings, PORT: port, METRICS_PORT: String(await freePort()) });
  try {
    await gateway.untilRunning();
    const { account_id: account = '' } = await made(
      'account create --email ada@people.example --verified --password a-long-password',
    );
    await made(`credits grant --account ${account} --amount 1000`);
    const { api_key: key = '' } = await made(`key create --account ${account} --name shop`);
    const customer = requests(`http://127.0.0.1:${port}`, key);
    const body = { model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'A paper boat' };
    const response = await customer.post('/v1/videos', body);
    expect([response.status, response.text]).toEqual([202, expect.any(String)]);
    const ended = await customer.untilEnded(String(response.json['id']));
    expect(ended).toMatchObject({ status: 'completed' });
    expect(await made(`account suspend --account ${account}`)).toMatchObject({
      status: 'suspended',
    });
  } finally {
    gateway.child.kill('SIGTERM');
  }
  expect(await gateway.ended).toBe(0);
  expect(gateway.stderr()).not.toContain('not authorized');
});
