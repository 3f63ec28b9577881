import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  closeRoutes,
  never,
  openRoute,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import type { StaffRole } from '../../gateway/src/domain/staff/staffRights.ts';
import { openStaff } from '../staff/openStaff.ts';
import { adopt as adoptText, loseSubmission } from '../staff/staffFixtures.ts';
import { video } from '../support/bodies.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';

/*
 * The attack: a staff member resolves an unknown outcome with an operation that names a server of
 * their own, or a provider's response names one, and the poll of it carries the provider's key there.
 */

/** A package untested with Framegate, whose operation is the URL of its polls. */
const untested = '@ai-sdk/bytedance';

/** The package's code. @param origin Its default base URL. */
const untestedCode = (origin: string) => `
const response = { timestamp: new Date(0), modelId: 'm', headers: undefined };
let jobs = 100;
export const createUntested = ({ apiKey, baseURL = '${origin}', fetch: send }) => {
  const headers = { authorization: 'Bearer ' + apiKey };
  return {
    videoModel: () => ({
      specificationVersion: 'v4',
      provider: 'untested',
      modelId: 'm',
      maxVideosPerCall: 1,
      async doStart() {
        await send(baseURL + '/jobs', { method: 'POST', headers });
        return { operation: { url: baseURL + '/jobs/' + (jobs += 1) }, warnings: [], response };
      },
      async doStatus({ operation }) {
        await (await send(operation.url, { headers })).text();
        return { status: 'pending', response };
      },
    }),
  };
};`;

/** Installs it as an operator does. @returns The folder for PROVIDERS_DIR. */
async function installUntested(): Promise<string> {
  const installed = await mkdtemp(join(tmpdir(), 'framegate-untested-'));
  const own = join(installed, 'node_modules', untested);
  await mkdir(own, { recursive: true });
  const about = { name: untested, version: '0.0.0', type: 'module', exports: './index.js' };
  await writeFile(join(own, 'package.json'), JSON.stringify(about));
  await writeFile(join(own, 'index.js'), untestedCode(api.origin));
  return installed;
}

const key = 'the-provider-key-0001';
const http = { allowPrivateNetwork: true, mediaHosts: ['files.example'] };
const other = { ...http, kind: 'ai-sdk', package: untested, factory: 'createUntested' };

let api: TinyServer;
let foreign: TinyServer;
let providersDir: string;
let gateway: TestGateway;
let opened: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  api = await startTinyServer((_, response) => json(response, 200, { status: 'running' }));
  foreign = await startTinyServer((_, response) => json(response, 200, { status: 'running' }));
  const routes = {
    providers: {
      named: { ...other, apiKeyEnv: 'KEY', options: { baseURL: api.origin } },
      unnamed: { ...other, apiKeyEnv: 'KEY' },
    },
    models: {
      'alpha-2.0-pro': [{ provider: 'named', model: 'm', does: statedVideo }],
      'alpha-2.0-mini': [{ provider: 'unnamed', model: 'm', does: statedVideo }],
    },
  };
  providersDir = await installUntested();
  gateway = await startRoutedGateway(routes, { KEY: key, PROVIDERS_DIR: providersDir });
  opened = await openStaff(gateway);
});
afterAll(async () => {
  await opened.close();
  await gateway.stop();
  await closeRoutes();
  await api.close();
  await foreign.close();
  await rm(providersDir, { recursive: true, force: true });
});
beforeEach(() => {
  api.got.length = 0;
  foreign.got.length = 0;
});

/** A generation left by a process that was killed during its call to the provider. */
async function lost(model: string): Promise<string> {
  const account = await gateway.addAccount();
  const created = await account.post('/v1/videos', video({ model }));
  expect(created.status).toBe(202);
  const id = String(created.json['id']);
  await loseSubmission(gateway, id, 600_000);
  return id;
}

const adopt = (generationId: string, operation: object, role: StaffRole) =>
  adoptText(opened.staff, generationId, JSON.stringify(operation), role);

describe('an operation of an untested package', () => {
  test.each(['alpha-2.0-pro', 'alpha-2.0-mini'])(
    'that names a foreign server brings no request there: %s',
    async (model) => {
      const id = await lost(model);
      const operation = { url: `${foreign.origin}/jobs/1` };
      await expect(adopt(id, operation, 'support')).rejects.toMatchObject({
        code: 'operation_for_admins',
      });
      await expect(adopt(id, operation, 'admin')).rejects.toMatchObject({
        values: { note: expect.stringContaining('not named as a host of its API') as unknown },
      });
      expect((await opened.staff.staffQueries.findGeneration(id))?.step).toBe('submitting');
      expect(foreign.got).toEqual([]);
    },
  );

  test('is accepted if the entry of the provider names its address, and bound to it permanently', async () => {
    const id = await lost('alpha-2.0-pro');
    await adopt(id, { url: `${api.origin}/jobs/7` }, 'admin');
    const polls = () => api.got.filter(({ path }) => path === '/jobs/7');
    expect(polls()[0]?.headers.authorization).toBe(`Bearer ${key}`);
    // Like a package that later finds another URL in the typed text.
    const { generations } = gateway.collections;
    const handle = JSON.stringify({ url: `${foreign.origin}/jobs/7` });
    await generations.updateOne({ _id: id }, { $set: { 'attempts.0.handle': handle } });
    const lookAt = async () => {
      await generations.updateOne({ _id: id }, [{ $set: { dueAt: '$$NOW' } }]);
      const { attempts = [] } = (await opened.staff.staffQueries.findGeneration(id)) ?? {};
      return attempts.at(-1)?.fault ?? '';
    };
    await until(
      async () =>
        foreign.got.length > 0 || (await lookAt()).includes('not named as a host of its API'),
    );
    expect(foreign.got).toEqual([]);
  });

  test('fits into the audit log as a whole', async () => {
    const id = await lost('alpha-2.0-pro');
    const padded = { pad: 'x'.repeat(2_000), url: `${api.origin}/jobs/1` };
    await expect(adopt(id, padded, 'admin')).rejects.toMatchObject({
      code: 'operation_too_long',
    });
  });
});

test('a response that names a foreign server brings no request there', async () => {
  const provider = { ...http, kind: 'ai-sdk', package: '@ai-sdk/fal', factory: 'createFal' };
  const { route } = await openRoute(provider, 'fal-ai/x/text-to-video', { key });
  const url = `${foreign.origin}/x`;
  const operation = { responseUrl: url, submitUrl: url };
  expect(await route.poll(operation, videoRequest(), never)).toMatchObject({ kind: 'fault' });
  expect(foreign.got).toEqual([]);
});
