import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProcess } from '../start/gatewayProcess.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { runNode } from '../support/runNode.ts';
import { copyTracked, documentedInstall, runNpm } from './installCopy.ts';

/*
 * A clean copy of the project, installed by the command of docs/operating/installing.md, which brings no preview
 * renderer and no embedded database, serves requests in production mode.
 */
const database = createTestDatabase();
let folder: string;
let installed: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-install-'));
  installed = join(folder, 'framegate');
  await mkdir(installed);
  await copyTracked(installed);
  await runNpm(documentedInstall(), installed);
  const secret = () => `1:${randomBytes(48).toString('base64')}`;
  env = {
    MODE: 'production',
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    BASE_URL: 'https://api.framegate.example/v1',
    MEDIA_URL: 'https://media.framegate.example',
    MONGODB_URI: database.uri,
    KEY_PEPPERS: secret(),
    MEDIA_SIGNING_KEYS: secret(),
    SESSION_KEYS: secret(),
    SMTP_URL: 'smtp://mail.framegate.example',
    TRUST_PROXY: '127.0.0.1',
    FAL_KEY: 'a-key',
    ROUTES_FILE: await writeRoutes('fal', {
      kind: 'ai-sdk',
      package: '@ai-sdk/fal',
      factory: 'createFal',
      apiKeyEnv: 'FAL_KEY',
      mediaHosts: ['files.example'],
    }),
  };
}, 600_000);

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A routes file with this provider for one model. */
async function writeRoutes(name: string, provider: object): Promise<string> {
  const file = join(folder, `${name}.json`);
  const models = {
    'alpha-2.0-pro': [{ provider: name, model: 'bytedance/seedance-2.0/text-to-video' }],
  };
  await writeFile(file, JSON.stringify({ providers: { [name]: provider }, models }));
  return file;
}

/** Output of an admin command of the installed copy. */
async function admin(...words: string[]): Promise<Record<string, unknown>> {
  const entry = join(installed, 'gateway/src/admin.ts');
  const { status, stdout, stderr } = await runNode([entry, ...words], env);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The packages of this project that are there are those that the gateway is built on; no tools are. */
async function expectLean(): Promise<void> {
  const modules = join(installed, 'node_modules');
  const own = ['contract', 'gateway', 'limits', 'media', 'provider-routes'];
  expect((await readdir(join(modules, '@framegate'))).sort()).toEqual(own);
  const others = [
    '@napi-rs',
    '@fontsource-variable/noto-sans',
    'mongodb-memory-server-core',
    'jest',
    '@opentelemetry/sdk-trace',
  ];
  expect(others.filter((name) => existsSync(join(modules, name)))).toEqual([]);
}

test('has the gateway and the contract, and no files for trials or tests', expectLean);

test('has the native parts of argon2 and sharp', async () => {
  const program = join(installed, 'gateway/loadNative.js');
  await writeFile(program, "await import('@node-rs/argon2');\nawait import('sharp');\n");
  expect(await runNode([program])).toMatchObject({ status: 0, stderr: '' });
});

test('names the command that prepares a new database', async () => {
  const gateway = startProcess({ ...env, ROLE: 'api' }, installed);
  expect(await gateway.ended).toBe(1);
  expect(gateway.stderr()).toMatch(/^The database has schema 0, .*database migrate.*\n$/);
  await admin('database', 'migrate');
});

test("names the command that installs a provider's package, which works", async () => {
  const gateway = startProcess(env, installed);
  expect(await gateway.ended).toBe(1);
  const [, command] =
    /@ai-sdk\/fal is not installed: run (npm install .+)\.\n/.exec(gateway.stderr()) ?? [];
  await runNpm(String(command), installed);
  await expectLean();
});

test('serves a customer in production', async () => {
  const gateway = startProcess({ ...env, ROLE: 'api' }, installed);
  try {
    await gateway.untilRunning();
    const { account_id: account } = await admin(
      ...['account', 'create', '--email', 'ada@people.example', '--verified'],
      ...['--password', 'a long password'],
    );
    await admin('credits', 'grant', '--account', String(account), '--amount', '500');
    const { api_key: key } = await admin(
      ...['key', 'create', '--account', String(account), '--name', 'shop'],
    );
    const customer = requests(`http://127.0.0.1:${String(env['PORT'])}`, String(key));
    const balance = await customer.get('/v1/credits/balance');
    expect([balance.status, balance.json]).toMatchObject([200, { available: 500 }]);
    const body = { model: 'alpha-2.0-pro', mode: 'text-to-video', prompt: 'A paper boat' };
    expect(await customer.post('/v1/videos', body)).toMatchObject({ status: 202 });
  } finally {
    gateway.child.kill('SIGTERM');
  }
  expect(await gateway.ended).toBe(0);
});

describe('names the missing part in one line', () => {
  async function refusal(settings: Record<string, string>): Promise<string> {
    const gateway = startProcess({ ...env, MODE: 'development', ...settings }, installed);
    expect(await gateway.ended).toBe(1);
    return gateway.stderr();
  }

  test('if a route leads to the preview renderer', async () => {
    const ROUTES_FILE = await writeRoutes('preview', { kind: 'preview-renderer' });
    const line = /^ROUTES_FILE names .*@framegate\/preview-renderer.*\n$/;
    expect(await refusal({ ROUTES_FILE })).toMatch(line);
  });

  test('where there is no routes file', async () => {
    const line = /^ROUTES_FILE is not set, .*@framegate\/preview-renderer.*\n$/;
    expect(await refusal({ ROUTES_FILE: '' })).toMatch(line);
  });

  test('where traces are asked for', async () => {
    const line = /^@opentelemetry\/sdk-trace is not installed: run npm install .+otlp-http@.+\n$/;
    expect(await refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toMatch(line);
  });

  test('where there is no database', async () => {
    const line = /^MONGODB_URI is not set, .*@framegate\/embedded-mongod.*\n$/;
    expect(await refusal({ MONGODB_URI: '' })).toMatch(line);
  });
});
