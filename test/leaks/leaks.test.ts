import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TinyServer } from '../providers/tinyServer.ts';
import { image, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { canary, canaryHosts, canaryPattern, startCanaryProvider } from './canaryProvider.ts';

let provider: TinyServer;
let folder: string;
let gateway: TestGateway;
let account: TestAccount;

beforeAll(async () => {
  provider = await startCanaryProvider();
  folder = await mkdtemp(join(tmpdir(), 'framegate-leaks-'));
  const http = {
    ...{ apiKeyEnv: 'CANARY_KEY', allowPrivateNetwork: true, mediaHosts: ['cnry-media.example'] },
    rewriteOrigins: {
      'https://queue.fal.run': provider.origin,
      'https://fal.run': provider.origin,
      'https://cnry-ark.example': provider.origin,
      [canaryHosts.media]: provider.origin,
    },
  };
  const routes = {
    providers: {
      'cnry-f': { ...http, kind: 'ai-sdk', package: '@ai-sdk/fal', factory: 'createFal' },
      'cnry-a': { ...http, kind: 'model-ark', baseURL: 'https://cnry-ark.example/api/v3' },
    },
    models: {
      'alpha-2.0-mini': [{ provider: 'cnry-f', model: 'fal-ai/cnry-model/text-to-video' }],
      'alpha-2.0-pro': [{ provider: 'cnry-a', model: 'cnry-endpoint' }],
      'image-b-2': [{ provider: 'cnry-f', model: 'fal-ai/cnry-image' }],
    },
  };
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  gateway = await startTestGateway({ ROUTES_FILE: file, CANARY_KEY: canary('api-key') });
  account = await gateway.addAccount({ credits: 10_000 });
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
  await rm(folder, { recursive: true });
});

/** Everything of an answer that reaches a client. */
async function bytesOf(response: Response): Promise<string> {
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return `${String(response.status)}\n${JSON.stringify([...response.headers])}\n${body}`;
}

const get = async (path: string, headers: Record<string, string> = {}) =>
  bytesOf(
    await fetch(new URL(path, gateway.origin), {
      headers: { authorization: `Bearer ${account.apiKey}`, ...headers },
    }),
  );

/** Makes a generation and returns every byte that its customer got, from 202 to the last file. */
async function seenOf(body: Record<string, unknown>): Promise<{ id: string; seen: string }> {
  const path = 'mode' in body ? '/v1/videos' : '/v1/images';
  const created = await account.post(path, body);
  expect(created.status).toBe(202);
  const id = String(created.json['id']);
  const record = await account.untilEnded(id);
  const { urls = [] } = (record['output'] ?? {}) as { urls?: string[] };
  const parts = [JSON.stringify([...created.headers]), created.text];
  for (const url of [`/v1/generations/${id}`, ...urls]) {
    parts.push(await get(url), await get(url, { range: 'bytes=0-' }));
  }
  return { id, seen: parts.join('\n') };
}

const pro = { model: 'alpha-2.0-pro' };
const cases: [string, string, Record<string, unknown>][] = [
  ['a finished video', 'completed', video({ prompt: 'made' })],
  ['a video refused at submit', 'input_rejected', video({ prompt: 'refused' })],
  ['a video refused after compute', 'output_rejected', video({ prompt: 'failed' })],
  ['a page of a proxy', 'generation_failed', video({ prompt: 'html' })],
  ['an answer that nobody understands', 'generation_failed', video({ prompt: 'odd' })],
  ['another provider’s finished video', 'completed', video({ prompt: 'made', ...pro })],
  ['another provider’s refusal', 'input_rejected', video({ prompt: 'refused', ...pro })],
  ['another provider’s verdict', 'output_rejected', video({ prompt: 'failed', ...pro })],
  ['done without a file', 'generation_failed', video({ prompt: 'empty', ...pro })],
  ['another page of a proxy', 'generation_failed', video({ prompt: 'html', ...pro })],
  ['a finished image', 'completed', image({ prompt: 'made' })],
  ['an image refused', 'input_rejected', image({ prompt: 'refused' })],
];

describe('nothing that a provider says reaches a client (I8)', () => {
  test.each(cases)('%s', async (_, outcome, body) => {
    const before = provider.got.filter(({ path }) => path.includes('/media/')).length;
    const { id, seen } = await seenOf(body);
    expect(seen).toContain(outcome);
    expect(seen).not.toMatch(canaryPattern);
    expect(seen).not.toMatch(/\bfal\b|fal\.run|modelark|seedance|bytedance/i);
    // The canaries were there: in the file that was fetched, or in what staff see.
    const { generations } = gateway.gateway.database.database;
    const { attempts = [] } = (await generations.find(id)) ?? {};
    const heard = attempts.map(({ note, operation }) => JSON.stringify([note, operation])).join();
    const fetched = provider.got.filter(({ path }) => path.includes('/media/')).length;
    if (outcome === 'completed') expect(fetched).toBeGreaterThan(before);
    // Staff read no pages, and no words that nobody understands.
    else if (/html|odd/.test(String(body['prompt']))) expect(heard).toMatch(/^\["(503|200): /);
    else expect(heard).toMatch(canaryPattern);
  });

  test('pages, lists and errors, after all that', async () => {
    const paths = ['/', '/docs', '/v1/openapi.json', '/v1/models', '/v1/credits/balance'];
    const more = ['/v1/generations/gen_01jd00000000000000000000ab', '/nowhere', '/sign-in'];
    for (const path of [...paths, ...more]) {
      const seen = await get(path);
      expect([path, canaryPattern.test(seen)]).toEqual([path, false]);
      expect([path, /\bfal\b|modelark|seedance/i.test(seen)]).toEqual([path, false]);
    }
  });

  test('no log line for errors holds the key or a URL of the provider', () => {
    const lines = gateway.errors.join('\n');
    expect(lines).not.toContain(canary('api-key'));
    expect(lines).not.toContain('cnry-media');
  });
});
