import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../gateway/src/config.ts';
import { type Gateway, startGateway } from '../../gateway/src/gateway.ts';
import { temporaryFolder } from '../../test/security/temporaryFolder.ts';
import { startProcess } from '../../test/start/gatewayProcess.ts';
import { arkRoutes } from '../../test/support/arkRoutes.ts';
import { video } from '../../test/support/bodies.ts';
import { type FakeArk, startFakeArk } from '../../test/support/fakeArk/fakeArk.ts';
import { freePort } from '../../test/support/freePort.ts';
import {
  requests,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../test/support/gateway.ts';
import { collectLog } from '../../test/support/mongod.ts';
import { type Ended, runNode } from '../../test/support/runNode.ts';
import { until } from '../../test/support/until.ts';

/* Two APIs and two workers reload ROUTES_FILE while a generation is at a provider that the new file lacks. */

let [old, next]: FakeArk[] = [];
let first: TestGateway;
const others: Gateway[] = [];
let account: TestAccount;
let env: Record<string, string>;
const { log, lines } = collectLog();
const folder = temporaryFolder();

beforeAll(async () => {
  [old, next] = [await startFakeArk(), await startFakeArk({ apiKey: 'next-key' })];
  env = await arkRoutes(folder(), old);
  env['NEXT_KEY'] = 'next-key';
  first = await startTestGateway({ ...env, ROLE: 'api' }, undefined, log);
  for (const ROLE of ['api', 'worker', 'worker']) {
    const settings = { ...first.env, ROLE, PORT: String(await freePort()) };
    others.push(await startGateway(loadConfig(settings), { log }));
  }
  account = await first.addAccount();
});
afterAll(async () => {
  await Promise.all(others.map((each) => each.stop()));
  await first.stop();
  await old?.close();
  await next?.close();
});

const admin = (line: string, more: Record<string, string> = {}): Promise<Ended> =>
  runNode(['gateway/src/admin.ts', ...line.split(' ')], { ...first.env, ...more });
const results = ({ stdout }: Ended) =>
  (JSON.parse(stdout) as { processes: { result: string; problems: string[] }[] }).processes;
const order = async (prompt: string) => {
  const body = video({ model: 'alpha-2.0-fast', prompt });
  const { status, json } = await account.post('/v1/videos', body);
  expect(status).toBe(202);
  return String(json['id']);
};

test('a bad file is rejected whole by every process, and the old one stays in force', async () => {
  const file = String(env['ROUTES_FILE']);
  const good = await readFile(file, 'utf8');
  const json = JSON.parse(good) as { providers: object; models: Record<string, object[]> };
  await writeFile(
    file,
    JSON.stringify({
      providers: { ...json.providers, bad: { kind: 'model-ark', apiKeyEnv: 'NOT_SET' } },
      models: { ...json.models, unknown: [], 'alpha-2.5': [{ provider: 'nowhere', model: 'x' }] },
    }),
  );
  const ended = await admin('routes reload');
  expect(ended.status).toBe(1);
  const said = results(ended);
  expect(said.map(({ result }) => result)).toEqual(Array(4).fill('refused'));
  for (const part of [
    'providers.bad.baseURL',
    'models.unknown',
    'models["alpha-2.5"][0].provider',
  ]) {
    expect(said[0]?.problems.join('\n')).toContain(part);
  }
  expect(lines.join('\n')).toContain('ROUTES_FILE was refused, and the routes stay as they were: ');
  const checked = await admin('routes check');
  expect(checked.status).toBe(1);
  expect(checked.stderr).toContain('models["alpha-2.5"][0].provider');
  await account.untilEnded(await order('still the old one'));
  expect(old?.accepted('still the old one')).toBe(1);
  await writeFile(file, good);
});

test('a generation continues at a provider that is removed, and new ones go to the new provider', async () => {
  old?.setHeld(true);
  const going = await order('under way');
  await until(() => old?.accepted('under way') === 1);
  await arkRoutes(folder(), next as FakeArk, { apiKeyEnv: 'NEXT_KEY' });
  const file = String(env['ROUTES_FILE']);
  const renamed = (await readFile(file, 'utf8')).replaceAll('"ark"', '"next"');
  await writeFile(file, renamed);

  const ended = await admin('routes reload');
  expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: '' });
  expect(results(ended).map(({ result }) => result)).toEqual(Array(4).fill('reloaded'));
  await account.untilEnded(await order('after it'));
  expect([old?.accepted('after it'), next?.accepted('after it')]).toEqual([0, 1]);

  old?.setHeld(false);
  expect(await account.untilEnded(going)).toMatchObject({ status: 'completed' });
  expect(next?.accepted('under way')).toBe(0);
  expect(results(await admin('routes reload')).map(({ result }) => result)).toEqual(
    Array(4).fill('unchanged'),
  );
});

test('a route is checked without a call, and tried with one small order that needs confirmation', async () => {
  const before = next?.submitted().length ?? 0;
  const checked = await admin('routes check', { MONGODB_URI: 'mongodb://127.0.0.1:1/none' });
  const { models } = JSON.parse(checked.stdout) as { models: { model: string }[] };
  expect(models.map(({ model }) => model)).toContain('alpha-2.0-fast');
  expect(models[0]).toMatchObject({ routes: [{ provider: 'next', model: 'upstream-model' }] });
  const line = 'routes try --provider next --model upstream-model';
  expect(await admin(line)).toMatchObject({ status: 2, stdout: '' });
  expect(next?.submitted()).toHaveLength(before);
  const tried = await admin(`${line} --spend`);
  expect(tried.status).toBe(0);
  expect(tried.stderr).toContain('Accepted after');
  expect(JSON.parse(tried.stdout)).toMatchObject({
    provider: 'next',
    mode: 'text-to-video',
    parameters: { resolution: '480p' },
    files: [{ media_type: 'video/mp4' }],
  });
  expect(next?.submitted()).toHaveLength(before + 1);
});

test('the signal HUP makes a single process read the file, and a bad file changes nothing', async () => {
  const PORT = String(await freePort());
  const running = startProcess({ ...first.env, ROLE: 'api', PORT });
  try {
    await running.untilRunning();
    const { get } = requests(`http://127.0.0.1:${PORT}`, account.apiKey);
    const listed = async () =>
      ((await get('/v1/models')).json['data'] as { id: string }[]).map(({ id }) => id);
    const before = await listed();
    expect(before).toContain('beta-3.0');
    const file = String(env['ROUTES_FILE']);
    const json = JSON.parse(await readFile(file, 'utf8')) as { models: Record<string, object[]> };
    await writeFile(file, '{ "providers": ');
    running.child.kill('SIGHUP');
    await until(() => running.stderr().includes('routes_file_refused'));
    expect(await listed()).toEqual(before);
    delete json.models['beta-3.0'];
    await writeFile(file, JSON.stringify(json));
    running.child.kill('SIGHUP');
    await until(async () => !(await listed()).includes('beta-3.0'));
  } finally {
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  }
});
