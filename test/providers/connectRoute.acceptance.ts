import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import { video } from '../support/bodies.ts';
import { orderedFilm } from '../support/fakeArk/orderedFilm.ts';
import { startTestGateway } from '../support/gateway.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import type { Ended } from '../support/runNode.ts';
import { sampleFilm } from '../support/sampleMedia.ts';
import { testTogether } from '../support/testTogether.ts';

/* Vendors that are not shipped, each from a few lines of description to a delivered video. */

const folder = temporaryFolder();
const order = { resolution: '720p', duration_seconds: 5, aspect_ratio: '16:9' };

let server: TinyServer;
beforeAll(async () => {
  const film = await sampleFilm(orderedFilm({ resolution: '720p', duration: 5, ratio: '16:9' }));
  server = await startTinyServer(({ method, path }, response) => {
    const vendor = vendors.find((each) => path.startsWith(`/${each.name}/`));
    if (path.endsWith('.mp4')) response.end(film);
    else if (!vendor) json(response, 404, {});
    else if (method === 'POST') json(response, 200, vendor.accepted);
    else json(response, 200, vendor.finished(`${server.origin}/film.mp4`));
  });
});
afterAll(() => server.close());

/** A vendor: the entry derived from its documentation, and its responses. */
interface Vendor {
  name: string;
  entry: string;
  accepted: object;
  finished: (url: string) => object;
  key: (headers: Record<string, unknown>) => unknown;
}

const vendors: Vendor[] = [
  {
    name: 'nested',
    entry: `{
  "kind": "http", "baseURL": "ORIGIN/nested/v1", "allowPrivateNetwork": true, "mediaHosts": ["HOST"],
  "api": {
    "videos": {
      "submit": { "path": "/generations", "fieldsAt": "/settings", "body": { "modelId": "{model}", "prompt": "{prompt}" } },
      "send": { "duration": "seconds", "size": "dimensions" },
      "taskId": "/job/generationId",
      "poll": { "path": "/generations/{id}", "everySeconds": 1 },
      "states": { "at": "/result/status", "pending": ["PENDING"], "completed": ["COMPLETE"], "failed": ["FAILED"] },
      "files": { "addresses": "/result/videos/*/url" }
    }
  }
}`,
    accepted: { job: { generationId: 'n-1' } },
    finished: (url) => ({ result: { status: 'COMPLETE', videos: [{ url }] } }),
    key: ({ authorization }) => authorization,
  },
  {
    name: 'queried',
    entry: `{
  "kind": "http", "baseURL": "ORIGIN/queried/v3", "allowPrivateNetwork": true, "mediaHosts": ["HOST"],
  "api": {
    "auth": { "type": "header", "name": "X-Token" },
    "videos": {
      "submit": { "path": "/async/{model}", "body": { "prompt": "{prompt}" } },
      "send": { "duration": "length", "resolution": "quality", "ratio": "aspect_ratio" },
      "taskId": "/task_id",
      "poll": { "path": "/async/result?task_id={id}", "everySeconds": 1 },
      "states": { "at": "/task/state", "pending": ["QUEUED"], "completed": ["OK"], "failed": ["BAD"] },
      "files": { "addresses": "/videos/*/video_url" }
    }
  }
}`,
    accepted: { task_id: 'q-1' },
    finished: (url) => ({ task: { state: 'OK' }, videos: [{ video_url: url }] }),
    key: (headers) => `Bearer ${String(headers['x-token'])}`,
  },
  {
    name: 'textual',
    entry: `{
  "kind": "http", "baseURL": "ORIGIN/textual/api", "allowPrivateNetwork": true, "mediaHosts": ["HOST"],
  "api": {
    "videos": {
      "submit": { "path": "/jobs", "body": { "engine": "{model}", "script": "{prompt}", "frames": "{frames}", "format": "{size}" } },
      "send": { "duration": { "frames": { "fps": 24 } }, "size": "size" },
      "taskId": "/id",
      "poll": { "path": "/jobs/{id}", "everySeconds": 1 },
      "states": { "at": "/code", "pending": [1, 2], "completed": [3], "failed": [4] },
      "files": { "addresses": "/output/clip" }
    }
  }
}`,
    accepted: { id: 77 },
    finished: (clip) => ({ code: 3, output: JSON.stringify({ clip }) }),
    key: ({ authorization }) => authorization,
  },
];

const does = {
  modes: ['text-to-video'],
  seconds: [5],
  resolutions: ['720p'],
  aspectRatios: ['16:9'],
};
const route = JSON.stringify({ does });

async function connect(
  args: readonly string[],
  {
    routes,
    input = 'secret-key\n',
    ...env
  }: { routes: string; input?: string } & Record<string, string>,
): Promise<Ended> {
  const given = { ROUTES_FILE: routes, CREDIT_VALUE: '0.01 USD', ...env };
  return runAdminHere(['routes', 'connect', ...args], given, input);
}

async function entryOf({ name, entry }: Vendor): Promise<string> {
  const file = join(folder(), `${name}.json`);
  const own = entry.replaceAll('ORIGIN', server.origin).replaceAll('HOST', server.host);
  await writeFile(file, own);
  return file;
}

const contentOf = async (path: string) =>
  JSON.parse(await readFile(path, 'utf8')) as Record<string, Record<string, unknown>>;

const eachVendor = vendors.map((vendor) => [
  `${vendor.name}: from a description to a delivered video`,
  async () => {
    expect(vendor.entry.split('\n').length).toBeLessThanOrEqual(15);
    const routes = join(folder(), `${vendor.name}-routes.json`);
    const args = ['--provider', await entryOf(vendor), '--model', 'alpha-2.5=video-1'];
    const options = ['--route', route, '--cost', '0.05 USD', '--key-stdin', '--spend'];
    const ended = await connect([...args, ...options], { routes });
    expect([ended.status, ended.stderr]).toEqual([0, expect.stringContaining('Wrote ')]);
    expect(ended.stdout + ended.stderr).not.toContain('secret-key');
    expect(ended.stderr).toContain('80 credits = 0.80 USD, cost 0.25 USD, margin 0.55 USD (69 %)');
    expect(JSON.parse(ended.stdout)).toMatchObject({
      provider: vendor.name,
      written: true,
      tried: { files: [{ media_type: 'video/mp4', width: 1280, height: 720 }], differences: [] },
    });
    const gateway = await startTestGateway({ ROUTES_FILE: routes });
    try {
      const account = await gateway.addAccount({ credits: 1000 });
      const body = video({ model: 'alpha-2.5', prompt: 'a lake', parameters: order });
      const { json: created } = await account.post('/v1/videos', body);
      const ready = await account.untilEnded(String(created['id']));
      expect(ready).toMatchObject({ status: 'completed', billing: { status: 'charged' } });
      const asked = server.got.filter(({ path }) => path.startsWith(`/${vendor.name}/`));
      const keys = new Set(asked.map(({ headers }) => vendor.key(headers)));
      expect([...keys]).toEqual(['Bearer secret-key']);
    } finally {
      await gateway.stop();
    }
  },
]) satisfies [string, () => Promise<void>][];

testTogether(Object.fromEntries(eachVendor));

test('keeps the content of the files, and makes the key readable only for its owner', async () => {
  const routes = join(folder(), 'kept.json');
  const before = {
    providers: { preview: { kind: 'preview-renderer' } },
    models: { 'beta-3.0': [{ provider: 'preview', model: 'beta-3.0' }] },
    order: { 'beta-3.0': 'cost' },
  };
  await writeFile(routes, JSON.stringify(before));
  const models = join(folder(), 'models.json');
  await writeFile(models, JSON.stringify({ models: { 'alpha-2.5': { display_name: 'Alpha' } } }));
  const [vendor] = vendors;
  const file = vendor ? await entryOf(vendor) : '';
  const args = ['--provider', file, '--name', 'v', '--route', route, '--key-stdin'];
  const both = [
    '--model',
    'beta-3.0=a',
    '--model',
    'vendor-film=b',
    '--price',
    '3',
    '--cost',
    '0.04 USD',
  ];
  const dryRun = await connect([...args, ...both, '--dry-run'], { routes, MODELS_FILE: models });
  expect([dryRun.status, dryRun.stderr]).toEqual([0, expect.stringContaining('BELOW COST')]);
  expect(await contentOf(routes)).toEqual(before);
  const ended = await connect([...args, ...both], { routes, MODELS_FILE: models });
  expect(ended).toMatchObject({ status: 0 });
  expect(await contentOf(routes)).toMatchObject({
    ...before,
    providers: { ...before.providers, v: { apiKeyFile: 'v.key' } },
    models: {
      'beta-3.0': [...before.models['beta-3.0'], { provider: 'v', model: 'a' }],
      'vendor-film': [{ provider: 'v', model: 'b', does }],
    },
  });
  expect(await contentOf(models)).toMatchObject({
    models: {
      'alpha-2.5': { display_name: 'Alpha' },
      'vendor-film': { display_name: 'Vendor Film', pricing: { credits: { '720p': 3 } } },
    },
  });
  const key = join(folder(), 'v.key');
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  expect(await readFile(key, 'utf8')).toBe('secret-key\n');
  const checked = await runAdminHere(['routes', 'check'], {
    ROUTES_FILE: routes,
    MODELS_FILE: models,
  });
  expect(checked).toMatchObject({ status: 0 });
});

test('refuses before anything is written', async () => {
  const routes = join(folder(), 'refused.json');
  const broken = join(folder(), 'broken.json');
  await writeFile(
    broken,
    '{"providers":{},"models":{"alpha-2.5":[{"provider":"gone","model":"m"}]}}',
  );
  const like = ['--like', 'runway', '--media-host', 'files.example', '--model', 'alpha-2.5=gen4.5'];
  const cases: [string[], string, { routes?: string; input?: string }?][] = [
    [['--like', 'wavespead', ...like.slice(4)], 'did you mean "wavespeed"?'],
    [like, 'The key is empty', { input: '\n' }],
    [[...like, '--name', 'a b'], '"a b" is not a valid provider name'],
    [[...like.slice(0, 4), '--model', 'alpha-2.6=gen4.5'], 'did you mean "alpha-2.5"?'],
    [[...like, '--cost', 'five'], 'must be an amount and a currency'],
    [[...like.slice(0, 4), '--model', 'alpha-2.5=other'], 'it needs does.modes'],
    [like, 'ROUTES_FILE cannot be written', { routes: join(folder(), 'none', 'routes.json') }],
    [like, 'models["alpha-2.5"][0].provider', { routes: broken }],
  ];
  for (const [args, sentence, more] of cases) {
    const ended = await connect([...args, '--key-stdin'], { routes, ...more });
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining(sentence)]);
  }
  const kept = await connect([...like, '--key-stdin'], { routes });
  expect(kept).toMatchObject({ status: 0 });
  const again = await connect([...like, '--key-stdin'], { routes });
  expect(again).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('already has a provider "runway"'),
  });
});
