import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseStoredGeneration } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { image, video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { type FakeImages, startFakeImages } from '../support/fakeImages.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { runNode } from '../support/runNode.ts';
import type { OrderedFilm } from '../support/sampleMedia.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';

/*
 * Every delivery is compared with its order: a result that was not sold is refunded, and a route that delivers
 * such results three times in a row gets no more orders of that kind.
 */

const model = 'alpha-2.5';
const kept = 'alpha-2.0-pro';
const images = 'image-a-2';

let ark: FakeArk;
let pictures: FakeImages;
let gateway: TestGateway;
let account: TestAccount;
let admin: Browser;
let support: Browser;

beforeAll(async () => {
  ark = await startFakeArk();
  pictures = await startFakeImages();
  const openAi = {
    kind: 'ai-sdk',
    package: '@ai-sdk/openai',
    factory: 'createOpenAI',
    apiKeyEnv: 'IMAGES_KEY',
    allowPrivateNetwork: true,
    rewriteOrigins: { 'https://api.openai.com': pictures.origin },
  };
  const routes = {
    providers: {
      ark: arkProvider(ark),
      lenient: { ...arkProvider(ark), delivery: 'deliver' },
      openai: openAi,
      'by-aspect': { ...openAi, delivery: { size: 'deliver', equal: 'refund' } },
    },
    models: {
      [model]: [{ provider: 'ark', model: 'up', does: statedVideo }],
      [kept]: [{ provider: 'lenient', model: 'up', does: statedVideo }],
      [images]: [{ provider: 'openai', model: 'gpt-image-1' }],
      'image-b-2': [{ provider: 'by-aspect', model: 'gpt-image-1' }],
    },
  };
  const env = { ARK_API_KEY: ark.apiKey, IMAGES_KEY: 'secret' };
  gateway = await startRoutedGateway(routes, env);
  account = await gateway.addAccount({ credits: 1_000_000 });
  ({ browser: admin } = await enrolStaff(gateway, 'admin'));
  ({ browser: support } = await enrolStaff(gateway, 'support'));
});

afterAll(async () => {
  await gateway.stop();
  for (const each of [ark, pictures]) await each.close();
});

beforeEach(async () => {
  ark.reset();
  gateway.errors.length = 0;
  await gateway.reloadRoutes();
});

interface Made {
  id: string;
  record: Record<string, unknown>;
  differences: string[];
}

const create = (kind: 'videos' | 'images', body: Record<string, unknown>) =>
  account.post(`/v1/${kind}`, body);

/** Orders, waits for the end, and describes the result's differences; gross ones in capitals. */
async function order(kind: 'videos' | 'images', body: Record<string, unknown>): Promise<Made> {
  const { status, json } = await create(kind, body);
  expect([status, json['error']]).toEqual([202, undefined]);
  const id = String(json['id']);
  const record = await account.untilEnded(id);
  const found = await gateway.collections.generations.findOne({ _id: id });
  const differences = (found && parseStoredGeneration(found).attempts.at(-1)?.differences) ?? [];
  const words = differences.map((each) => (each.isGross ? each.in.toUpperCase() : each.in));
  return { id, record, differences: words };
}

/** Orders a video of which the fake delivers this. */
function film(delivered: Partial<OrderedFilm>, parameters = {}, of = model): Promise<Made> {
  ark.script({ on: 'task', times: 1, plan: { polls: 0, end: 'succeeded', film: delivered } });
  return order('videos', video({ model: of, parameters }));
}

const picture = (prompt: string, parameters = {}, of = images) =>
  order('images', image({ model: of, prompt, parameters }));

const times3 = <T>(make: () => Promise<T>) => Promise.all([make(), make(), make()]);

const refunded = {
  status: 'failed',
  error: { code: 'generation_failed' },
  billing: { status: 'refunded' },
};
const completed = { status: 'completed', billing: { status: 'charged' } };
const alerts = (name: string) => gateway.errors.filter((line) => line.includes(`"${name}"`)).length;

describe('a result that differs from the order is failed and refunded', () => {
  test.each<[string, Partial<OrderedFilm>, object, string[]]>([
    ['a film too small', { width: 640, height: 360 }, {}, ['SIZE']],
    ['a film too short', { seconds: 2 }, {}, ['LENGTH']],
    ['a film without sound', { sound: false }, { generate_audio: true }, ['SOUND']],
    ['a silent track', { sound: true, isSilent: true }, { generate_audio: true }, ['SOUND']],
    ['an upright film', { width: 720, height: 1280 }, {}, ['RATIO']],
    [
      'a silent second at 320x180 for 15 s at 1080p with sound',
      { width: 320, height: 180, seconds: 1, sound: false },
      { resolution: '1080p', duration_seconds: 15, generate_audio: true },
      ['SIZE', 'LENGTH', 'SOUND'],
    ],
  ])('%s', async (_name, delivered, parameters, differences) => {
    const made = await film(delivered, parameters);
    expect(made.differences).toEqual(differences);
    expect(made.record).toMatchObject(refunded);
    expect(made.record).not.toHaveProperty('outputs.0');
    expect(alerts('not_as_ordered')).toBe(1);
    const { operatorEvents } = gateway.collections;
    const told = await operatorEvents.find({ subject: account.accountId }).toArray();
    expect(told.map(({ fact }) => fact)).toContainEqual(
      expect.objectContaining({ type: 'generation.not_as_ordered', generationId: made.id }),
    );
  });

  test.each([
    ['a picture too small, twice the same', '[small]', ['SIZE', 'equal']],
    ['an image missing', '[fewer]', ['FILES']],
    ['a film for a picture', '[film]', ['TYPE']],
  ])('%s', async (_name, prompt, differences) => {
    const made = await picture(`a lake ${prompt}`, { n: 2 });
    expect(made.differences).toEqual(differences);
    expect(made.record).toMatchObject(refunded);
    expect(alerts('not_as_ordered')).toBe(1);
  });
});

describe('a slightly different result is delivered, and staff see the difference', () => {
  test.each<[string, Partial<OrderedFilm>, string[]]>([
    ['as ordered', {}, []],
    ['of 960x720', { width: 960 }, ['size', 'ratio']],
    ['of 4 s', { seconds: 4 }, ['length']],
    ['with sound', { sound: true }, ['sound']],
    ['with a silent track', { sound: true, isSilent: true }, []],
  ])('%s', async (_name, delivered, differences) => {
    const made = await film(delivered);
    expect(made.record).toMatchObject(completed);
    expect(made.differences).toEqual(differences);
    expect(gateway.errors.filter((line) => line.includes(made.id))).toEqual([]);
    const { html } = await admin.get(`/staff/generations/${made.id}`);
    expect(html.includes('differs from the order')).toBe(differences.length > 0);
  });
});

describe('with "delivery": "deliver" in the entry of a provider', () => {
  test('a gross difference is delivered, raises the alert, and withholds nothing', async () => {
    const made = await times3(() => film({ width: 320, height: 180 }, {}, kept));
    expect(made).toMatchObject(made.map(() => ({ record: completed, differences: ['SIZE'] })));
    expect([alerts('not_as_ordered'), alerts('capability_withheld')]).toEqual([3, 0]);
  });

  test('set by aspect, some differences are delivered and others refunded', async () => {
    const small = await picture('a lake [small]', { n: 1 }, 'image-b-2');
    expect(small).toMatchObject({ record: completed, differences: ['SIZE'] });
    const same = await picture('a lake', { n: 2 }, 'image-b-2');
    expect(same).toMatchObject({ record: refunded, differences: ['equal'] });
    expect(alerts('not_as_ordered')).toBe(2);
    const told = await picture('a lake', { n: 2 });
    expect(told).toMatchObject({ record: completed, differences: ['equal'] });
  });

  test.each(['[fewer]', '[film]'])('no image is left out or of another type: %s', async (mark) => {
    const made = await picture(`a lake ${mark}`, { n: 2 }, 'image-b-2');
    expect(made.record).toMatchObject(refunded);
  });
});

describe('after three consecutive differences', () => {
  const tiny = { width: 320, height: 180 };
  const hd = { resolution: '720p' };
  const sells = async (parameters: object) =>
    expect((await order('videos', video({ model, parameters }))).record).toMatchObject(completed);

  async function withhold(): Promise<void> {
    await times3(() => film(tiny, hd));
    expect(alerts('capability_withheld')).toBe(1);
  }

  test('the route gets no such order, but all others', async () => {
    await film(tiny, hd);
    await film(tiny, hd);
    await film({}, hd);
    await film(tiny, hd);
    expect(alerts('capability_withheld')).toBe(0);
    await film(tiny, hd);
    await film(tiny, hd);
    expect(alerts('capability_withheld')).toBe(1);
    const refused = await create('videos', video({ model, parameters: hd }));
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { error: { code: 'invalid_request', param: 'parameters.resolution' } },
    ]);
    expect(refused.text).not.toMatch(/withh|route|provider/i);
    await sells({ resolution: '1080p' });
  });

  test('the catalogue and its defaults stay, and a reload ends it', async () => {
    const listed = async () => (await account.get('/v1/models')).text;
    const before = await listed();
    await withhold();
    expect(await listed()).toBe(before);
    expect((await create('videos', video({ model }))).status).toBe(400);
    await gateway.reloadRoutes();
    await sells({});
  });

  test('staff see it in the console, and an admin ends it with a reason', async () => {
    await withhold();
    const { html } = await admin.get('/staff/routes');
    expect(html).toContain('720p');
    expect((await admin.get('/staff')).html).toContain('/staff/routes#withheld');
    const sell = (reason: string) =>
      admin.send('/staff/routes', { action: 'sell-everything', target: 'ark up', reason });
    expect((await sell('')).status).toBe(409);
    await support.get('/staff/routes');
    const form = { action: 'sell-everything', target: 'ark up', reason: 'not for me' };
    expect((await support.send('/staff/routes', form)).status).toBe(403);
    await admin.get('/staff/routes');
    expect((await sell('the provider has repaired it')).html).toContain('sells everything again');
    await sells(hd);
  });

  test('operators list and end it at the command line', async () => {
    await withhold();
    const run = async (...words: string[]) => {
      const { status, stdout, stderr } = await runNode(['gateway/src/admin.ts', ...words], {
        ...gateway.env,
      });
      expect([status, stderr]).toEqual([0, '']);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    expect(await run('routes', 'withheld')).toMatchObject({
      withheld: [{ provider: 'ark', model: 'up', capability: expect.stringContaining('720p') }],
    });
    const sell = ['routes', 'sell', '--provider', 'ark', '--model', 'up'];
    expect(await run(...sell)).toMatchObject({ result: 'offered again' });
    expect(await run(...sell)).toMatchObject({ result: 'nothing was withheld' });
    expect(await run('routes', 'withheld')).toEqual({ withheld: [] });
  });
});

describe('routes try', () => {
  const tryIt = () =>
    runNode(
      ['gateway/src/admin.ts', 'routes', 'try', '--provider', 'ark', '--model', 'up', '--spend'],
      gateway.env,
    );
  const delivers = (delivered: Partial<OrderedFilm>) => {
    ark.script({ on: 'task', plan: { polls: 0, end: 'succeeded', film: delivered } });
  };

  test('prints the measures of the result', async () => {
    const { status, stdout } = await tryIt();
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ media_type: 'video/mp4', sound: false }],
      differences: [],
    });
  });

  test('prints a small difference, and fails on a gross one', async () => {
    delivers({ sound: true });
    const small = await tryIt();
    expect([small.status, JSON.parse(small.stdout)]).toMatchObject([
      0,
      { differences: [{ in: 'sound', ordered: 'no sound', delivered: 'sound' }] },
    ]);
    expect(small.stderr).toContain('Not as ordered: sound: sound instead of no sound');
    ark.reset();
    delivers({ width: 64, height: 36 });
    const gross = await tryIt();
    expect(gross.status).toBe(1);
    expect(gross.stderr).toContain('The result does not match the order: size: 64x36');
  });
});
