import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';
import { presentPosters } from '../../gateway/src/application/generations/presentGeneration.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { canary, canaryPattern, namePattern } from './canaryProvider.ts';
import { canaryCases, type CanaryWorld, startCanaryWorld } from './canaryWorld.ts';

let world: CanaryWorld;

beforeAll(async () => {
  world = await startCanaryWorld();
});

afterAll(async () => {
  await world.stop();
});

/** Everything of a response that reaches a client. */
async function bytesOf(response: Response): Promise<string> {
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return `${String(response.status)}\n${JSON.stringify([...response.headers])}\n${body}`;
}

const get = async (path: string, headers: Record<string, string> = {}) =>
  bytesOf(
    await fetch(new URL(path, world.gateway.origin), {
      headers: { authorization: `Bearer ${world.account.apiKey}`, ...headers },
    }),
  );

/** Makes a generation and returns every byte that its customer got, from 202 to the last file. */
async function seenOf(body: Record<string, unknown>): Promise<{ id: string; seen: string }> {
  const path = 'mode' in body ? '/v1/videos' : '/v1/images';
  const created = await world.account.post(path, body);
  expect(created.status).toBe(202);
  const id = String(created.json['id']);
  const record = await world.account.untilEnded(id);
  const { urls = [] } = (record['output'] ?? {}) as { urls?: string[] };
  const parts = [JSON.stringify([...created.headers]), created.text];
  for (const url of [`/v1/generations/${id}`, ...urls, ...(await postersOf(id))]) {
    parts.push(await get(url), await get(url, { range: 'bytes=0-' }));
  }
  return { id, seen: parts.join('\n') };
}

/** URLs of its posters, which only the site tells. */
async function postersOf(id: string): Promise<string[]> {
  const { database, clock } = world.gateway;
  const view = await database.generations.findView(id);
  if (view?.status !== 'completed') return [];
  const { mediaSigningKeys } = completeSecrets(
    loadConfig(world.gateway.env).secrets,
    world.gateway.dataDir,
  );
  const publicUrls = { baseUrl: '', mediaUrl: `${world.gateway.origin}/media`, mediaSigningKeys };
  const urls = [320, 960].flatMap((width) =>
    presentPosters(view, publicUrls, clock.now(), width as 320 | 960),
  );
  expect(urls).not.toContain(null);
  return urls.map(String);
}

describe('no provider text reaches a client (I8)', () => {
  test.each(canaryCases)('%s', async (_, outcome, body) => {
    const { provider, gateway } = world;
    const before = provider.got.filter(({ path }) => path.includes('/media/')).length;
    const { id, seen } = await seenOf(body);
    expect(seen).toContain(outcome);
    expect(seen).not.toMatch(canaryPattern);
    expect(seen).not.toMatch(namePattern);
    // The canaries existed: in the fetched file, or in the view of staff.
    const { generations } = gateway.database;
    const { attempts = [] } = (await generations.find(id)) ?? {};
    const heard = attempts.map(({ note, operation }) => JSON.stringify([note, operation])).join();
    const fetched = provider.got.filter(({ path }) => path.includes('/media/')).length;
    if (outcome === 'completed') expect(fetched).toBeGreaterThan(before);
    // Staff read no pages, and no words that make no sense.
    else if (/html|odd/.test(String(body['prompt']))) expect(heard).toMatch(/^\["(503|200): /);
    else expect(heard).toMatch(canaryPattern);
  });

  test('through pages, lists and errors, after all these', async () => {
    const paths = [
      '/',
      '/docs',
      '/docs.md',
      '/llms.txt',
      '/v1/openapi.json',
      '/v1/models',
      '/v1/credits/balance',
    ];
    const more = ['/v1/generations/gen_01jd00000000000000000000ab', '/nowhere', '/sign-in'];
    for (const path of [...paths, ...more]) {
      const seen = await get(path);
      expect([path, canaryPattern.test(seen)]).toEqual([path, false]);
      expect([path, namePattern.test(seen)]).toEqual([path, false]);
    }
  });
});

describe('the log, which is for the operator alone', () => {
  const levels = () => world.logged().map((line) => JSON.parse(line) as Record<string, unknown>);

  test('has no provider text below warnings', () => {
    const quiet = levels().filter(({ level }) => Number(level) < 40);
    const ended = quiet.filter(({ msg }) => msg === 'generation ended');
    expect(ended).toHaveLength(canaryCases.length);
    expect(quiet.some(({ msg }) => msg === 'request')).toBe(true);
    expect(quiet.filter((line) => canaryPattern.test(saidIn(line)))).toEqual([]);
  });

  test('has warnings and errors without provider text, keys and addresses', () => {
    const loud = levels().filter(({ level }) => Number(level) >= 40);
    const messages = loud.map(({ msg }) => msg);
    expect(messages).toContain('poll gave no result');
    expect(messages).toContain('submission has an unknown outcome');
    const text = loud.map(saidIn).join('\n');
    for (const place of ['api-key', 'message', 'page', 'value', 'reason', 'query', 'file', 'id']) {
      expect(text).not.toContain(canary(place));
    }
  });

  /** A line without the operator's own names, and without the task that belongs to a lost result. */
  function saidIn(line: Record<string, unknown>): string {
    const named = /^(provider|providerModel|operation)$/;
    const said = Object.entries(line).filter(([name]) => !named.test(name));
    return JSON.stringify(Object.fromEntries(said));
  }
});
