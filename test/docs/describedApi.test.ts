import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shippedNames } from '../../gateway/providers/src/http/describe.ts';
import {
  closeRoutes,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import { runAdminHere } from '../support/runAdminHere.ts';

/* The examples of docs/providers/http.md. */

const page = readFileSync(new URL('../../docs/providers/http.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```json\n([^`]*)```/g)].map(
  ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
);

const folder = temporaryFolder();
let server: TinyServer;
const said: unknown[] = [];
beforeAll(async () => {
  server = await startTinyServer(({ path }, response) => {
    if (path === '/film.mp4') response.end('film');
    else json(response, 200, { job: said.shift() });
  });
});
afterAll(async () => {
  await closeRoutes();
  await server.close();
});

const reached = () => ({
  allowPrivateNetwork: true,
  rewriteOrigins: {
    'https://api.vendor.example': server.origin,
    'https://cdn.vendor.example': server.origin,
  },
});

test('the whole file orders, polls and fetches', async () => {
  const { providers, models } = examples[2] as {
    providers: { vendor: object };
    models: Record<string, { model: string; does: object }[]>;
  };
  const [entry] = Object.values(models)[0] ?? [];
  const provider = { ...providers.vendor, ...reached(), apiKeyEnv: 'KEY' };
  const { route } = await openRoute(provider, entry?.model ?? '', {
    route: { does: entry?.does },
  });
  const usage = { seconds: 6 };
  const results = [{ url: 'https://cdn.vendor.example/film.mp4' }];
  said.push({ id: 'j1' }, { id: 'j1', state: 'running' });
  said.push({ id: 'j1', state: 'done', results, usage });
  const inputs = [input('first_frame')];
  const request = videoRequest({ duration_seconds: 6 }, { mode: 'image-to-video', inputs });
  const made = await route.submit(request, never);
  expect(made).toMatchObject({ kind: 'accepted' });
  expect(server.got[0]).toMatchObject({
    method: 'POST',
    path: '/v2/jobs',
    headers: { 'x-api-key': 'secret-key' },
  });
  expect(server.got[0]?.body).toEqual({
    model: 'video-1',
    input: {
      text: 'a quiet lake',
      media: [{ type: 'first_frame', url: inputs[0]?.url() }],
      seconds: 6,
      quality: '720p',
      ratio: '16:9',
    },
  });
  const operation = made.kind === 'accepted' ? made.operation : null;
  expect(await route.poll(operation, request, never)).toMatchObject({ kind: 'pending' });
  const done = await route.poll(operation, request, never);
  expect(done).toMatchObject({ kind: 'completed', reported: expect.stringContaining('6') });
  const [output] = done.kind === 'completed' ? done.outputs : [];
  expect(String(await readOutput(output))).toBe('film');
  expect(server.got.at(-1)?.headers).not.toHaveProperty('x-api-key');
});

test('an entry without a key sends a form without one', async () => {
  const entry = { ...examples[1], baseURL: `${server.origin}/v1`, apiKeyEnv: undefined };
  const does = { seconds: [5], resolutions: ['720p'], aspectRatios: ['16:9'] };
  const { route } = await openRoute(entry, 'm', {
    route: { does: { ...does, modes: ['text-to-video'] } },
  });
  server.got.splice(0);
  await route.submit(videoRequest(), never);
  const [got] = server.got;
  expect(got?.path).toBe('/v1/videos');
  expect(got?.headers['content-type']).toContain('multipart/form-data');
  expect(got?.headers).not.toHaveProperty('authorization');
});

test('the command connects the entry', async () => {
  await writeFile(join(folder(), 'vendor.json'), JSON.stringify(examples[3]));
  const [, line = ''] =
    /^npm run --silent admin -- (routes connect .*) < key\.txt$/m.exec(page) ?? [];
  const args = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  const there = args.map((each) => (each === 'vendor.json' ? join(folder(), each) : each));
  const routes = join(folder(), 'routes.json');
  const ended = await runAdminHere(there, { ROUTES_FILE: routes }, 'key\n');
  expect([ended.status, ended.stderr]).toEqual([0, expect.stringContaining('cost 0.25 USD')]);
  const written = JSON.parse(readFileSync(routes, 'utf8')) as object;
  expect(written).toMatchObject({
    providers: { vendor: { ...examples[3], apiKeyFile: 'vendor.key' } },
    models: { 'alpha-2.5': [{ provider: 'vendor', model: 'video-1' }] },
  });
});

test('the table lists the shipped descriptions', () => {
  const [table = ''] = page.split('## Fields of the entry');
  const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(listed.filter((name) => name !== 'like').toSorted()).toEqual(shippedNames());
});
