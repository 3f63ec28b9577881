import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProcess } from '../start/gatewayProcess.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { projectRoot, runNode } from '../support/runNode.ts';
import { runInstallStage } from './support/buildImage.ts';
import { assignments, readCompose, readStages } from './support/deployFiles.ts';

/*
 * Result of the Dockerfile's first stage, in a folder: the second stage adds Node, a user and nothing
 * else, and no container engine is needed here.
 */
const database = createTestDatabase();
/** Stands in for every variable of compose.yaml. */
const madeUp = new Proxy({}, { get: () => 'x' }) as Record<string, string>;
let folder: string;
let installed: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'framegate-image-'));
  installed = await runInstallStage(folder);
  const secret = () => `1:${randomBytes(48).toString('base64')}`;
  env = {
    ...assignments(readStages()[1] ?? [], 'ENV'),
    HOME: folder,
    DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    BASE_URL: 'https://video.framegate.example/v1',
    MEDIA_URL: 'https://files.framegate.example',
    MONGODB_URI: database.uri,
    KEY_PEPPERS: secret(),
    MEDIA_SIGNING_KEYS: secret(),
    SESSION_KEYS: secret(),
    SMTP_URL: 'smtp://mail.framegate.example',
    TRUST_PROXY: '127.0.0.1',
    FAL_API_KEY: 'a-key',
    ROUTES_FILE: join(projectRoot, 'docs/providers/fal.json'),
  };
}, 900_000);

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Megabytes on disk. */
function size(path: string): number {
  return Number(execFileSync('du', ['-sk', path]).toString().split('\t')[0]) / 1024;
}

test('the image is small', () => {
  // With about 75 MB of Debian and 125 MB of Node, the image stays below 286 MB.
  expect(size(installed)).toBeLessThan(86);
});

test('the image has the gateway and the providers, and no tools, renderer or embedded server', () => {
  const has = (path: string) => existsSync(join(installed, path));
  expect(has('gateway/start.js') && has('node_modules/@ai-sdk/fal')).toBe(true);
  const others = ['jest', '@napi-rs', 'mongodb-memory-server-core', '@swc', 'typescript'];
  expect(others.filter((name) => has(`node_modules/${name}`))).toEqual([]);
  const files = readdirSync(join(installed, 'node_modules'), { recursive: true }).map(String);
  // Our own are links here, and .dockerignore keeps their tests out of the image.
  const theirs = files.filter((name) => !name.startsWith('@framegate'));
  expect(theirs.length).toBeGreaterThan(1_000);
  expect(theirs.filter((name) => /\.test\.\w+$/.test(name))).toEqual([]);
});

test('its list of contents and licences has every installed package', () => {
  const read = (path: string) => readFileSync(join(installed, path), 'utf8');
  const { packages } = JSON.parse(read('node_modules/.package-lock.json')) as {
    packages: Record<string, { version: string; link?: boolean }>;
  };
  const names = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const { components } = JSON.parse(read('sbom.cdx.json')) as {
    components: { name: string; version: string }[];
  };
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  expect(names.length).toBeGreaterThan(100);
  expect([...new Set(listed)].sort()).toEqual([...new Set(names)].sort());
  const licenses = read('licenses.txt').trim().split('\n');
  expect(licenses).toContain('koa 3.3.0: MIT');
  expect(licenses.filter((line) => line.endsWith('not named'))).toEqual([]);
  const notices = read('notices.txt');
  const untold = licenses
    .map((each) => each.replace(/: .*/, ' ('))
    .filter((each) => !notices.includes(`\n${each}`));
  expect(untold).toEqual([]);
  expect(notices).toMatch(
    /^koa 3\.3\.0 \(MIT\)\n[^=]*Permission is hereby granted, free of charge/m,
  );
  // Words that occur only in a readme.
  expect(notices).toMatch(/^@img\/sharp-libvips-[^=]*\| libvips +\| LGPLv3/m);
});

test('its database is migrated by the command of Compose and the chart', async () => {
  const [program = '', ...words] = String(
    readCompose('compose.yaml', madeUp).services['migrate']?.command?.slice(1).join(' '),
  ).split(' ');
  const migrated = await runNode([join(installed, program), ...words], env);
  expect(migrated).toMatchObject({ status: 0, stdout: expect.stringContaining('"schema":') });
});

test.each(['api', 'worker'])(
  '%s starts, is healthy for its check, and ends by SIGTERM',
  async (role) => {
    const check = () =>
      runNode([join(installed, 'deploy/image/healthCheck.js')], { ...env, ROLE: role });
    expect(await check()).toMatchObject({ status: 1, stderr: '' });
    const gateway = startProcess({ ...env, ROLE: role }, installed);
    try {
      await gateway.untilRunning();
      expect(await check()).toMatchObject({ status: 0, stderr: '' });
      if (role === 'api') {
        const response = await fetch(`http://127.0.0.1:${String(env['PORT'])}/readyz`);
        expect([response.status, await response.json()]).toMatchObject([200, { status: 'ready' }]);
      }
    } finally {
      gateway.child.kill('SIGTERM');
    }
    expect(await gateway.ended).toBe(0);
  },
);
