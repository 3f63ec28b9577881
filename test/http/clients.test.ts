import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type ClientList,
  clientListName,
  readClientFiles,
  sha256,
} from '../../gateway/src/compose/clientFiles.ts';
import { version } from '../../gateway/src/compose/version.ts';
import { notInRegistry } from '../../gateway/src/http/site/clients/clientPackages.ts';
import { placeClients } from '../../scripts/release/clients.ts';
import { docsFacts, startTestServer, type TestServer } from './startTestServer.ts';

/* The packages that a gateway serves, read from a folder as `npm run clients` leaves it. */

const packed = `framegate-client-${version}.tgz`;
const wheel = `framegate-${version}-py3-none-any.whl`;
let folder: string;
let server: TestServer;
const warnings: string[] = [];
const log = { warn: (_: object, message: string) => warnings.push(message) };
const placed = () => join(folder, 'clients');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-client-files-'));
  for (const name of [packed, wheel]) await writeFile(join(folder, name), `the bytes of ${name}`);
  placeClients(folder, placed(), { version, names: [packed, wheel] });
  const facts = { ...docsFacts, version, clients: readClientFiles(log, placed()) };
  server = await startTestServer({ app: { docs: () => facts } });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(server.url + path, init);

test('a file has its length and type, is saved, and is kept for a year', async () => {
  const types = { [packed]: 'application/gzip', [wheel]: 'application/zip' };
  for (const [name, type] of Object.entries(types)) {
    for (const method of ['GET', 'HEAD']) {
      const response = await get(`/clients/${name}`, { method });
      const body = `the bytes of ${name}`;
      expect([response.status, await response.text()]).toEqual([200, method === 'GET' ? body : '']);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(body.length),
        'content-disposition': 'attachment',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${sha256(Buffer.from(body))}"`,
      });
    }
  }
});

test('checksums fit the files', async () => {
  const lines = (await (await get('/clients/SHA256SUMS')).text()).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const [sum, name = ''] = line.split('  ');
    const bytes = Buffer.from(await (await get(`/clients/${name}`)).arrayBuffer());
    expect(sum).toBe(sha256(bytes));
  }
});

test.each([
  'framegate-client-9.9.9.tgz',
  clientListName,
  '..%2f..%2fpackage.json',
  '%2e%2e%2fclients%2fclients.json',
  `..%2fclients%2f${packed}`,
  '%00',
])('%s is no file', async (name) => {
  const response = await get(`/clients/${name}`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test.each(['/clients', '/clients.md'])('%s lists exactly the existing files', async (path) => {
  const page = await (await get(path)).text();
  const names = [...page.matchAll(/\/clients\/([\w.-]+)/g)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(['SHA256SUMS', packed, wheel]));
  expect(page).toContain(`npm install https://www.test/clients/${packed}`);
  expect(page).toContain(`pip install https://www.test/clients/${wheel}`);
  expect(page).toContain('https://api.test/v1');
  expect(page).toContain(notInRegistry);
});

test('the start page has a row of tools, each with its line for this gateway or the reason for its absence', async () => {
  const page = await (await get('/')).text();
  const parts = page.split('<details name="tool"').slice(1);
  const named = parts.map((part): [string, string] => [
    /<summary[^>]*>([^<]+)</.exec(part)?.[1] ?? '',
    part,
  ]);
  const tools = Object.fromEntries(named);
  expect(Object.keys(tools)).toEqual([
    ...['n8n', 'Zapier', 'Node-RED', 'Activepieces'],
    ...['curl', 'TypeScript', 'Python'],
  ]);
  for (const title of ['n8n', 'Node-RED', 'Activepieces']) {
    expect(tools[title]).toContain('npm run clients');
  }
  const addressed = ['Zapier', 'curl', 'TypeScript', 'Python'];
  for (const title of addressed) expect(tools[title]).toContain('https://api.test/v1');
  expect(tools['Python']).toContain(`pip install https://www.test/clients/${wheel}`);
  expect(tools['TypeScript']).toContain(`/clients/${packed}`);
});

test('without packages the page explains how to make them, and there are no checksums', async () => {
  const empty = await startTestServer();
  try {
    const page = await (await fetch(`${empty.url}/clients`)).text();
    expect(page).toContain('npm run clients');
    expect(page).not.toContain('/clients/');
    expect((await fetch(`${empty.url}/clients/SHA256SUMS`)).status).toBe(404);
    expect((await fetch(`${empty.url}/clients/${packed}`)).status).toBe(404);
  } finally {
    await empty.stop();
  }
});

describe('packages that do not fit their gateway are not served', () => {
  let list: ClientList;
  const file = () => join(placed(), clientListName);
  const readAs = async (changed: Partial<ClientList>) => {
    warnings.length = 0;
    await writeFile(file(), JSON.stringify({ ...list, ...changed }));
    return readClientFiles(log, placed());
  };
  beforeAll(async () => {
    list = JSON.parse(await readFile(file(), 'utf8')) as ClientList;
  });

  test.each<[string, Partial<ClientList>, RegExp]>([
    ['of another version', { version: '0.0.9' }, /have a different version; run "npm run clients"/],
    [
      'of another contract',
      { contract: 'f00d' },
      /have a different version; run "npm run clients"/,
    ],
    [
      'other bytes',
      { files: { [packed]: 'f00d' } },
      /failed to read the packed clients; run "npm run clients"/,
    ],
    [
      'a file that is gone',
      { files: { gone: 'f00d' } },
      /failed to read the packed clients; run "npm run clients"/,
    ],
  ])('%s', async (_, changed, warning) => {
    expect(await readAs(changed)).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(await readAs({})).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  test('a missing folder causes no warning', () => {
    expect(readClientFiles(log, join(folder, 'none'))).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
