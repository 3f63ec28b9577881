import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hydrated, shape } from './support/outputs.ts';
import { results, type Values } from './support/zap.ts';
import { startZapierWorld, type ZapierWorld, type ZapUser } from './support/zapierWorld.ts';

/* The steps as a user meets them, with the preview renderer: samples, results, files. */

let world: ZapierWorld;
let user: ZapUser;

beforeAll(async () => {
  world = await startZapierWorld(['alpha-2.0-pro', 'alpha-2.5']);
  await world.startWorker();
  user = await world.addUser();
});

afterEach(() => {
  user.api.mischief = undefined;
});

afterAll(async () => {
  await world.stop();
});

/** Lets the gateway make the ordered results before Zapier's next attempt. */
const made = { betweenAttempts: () => world.untilEnded(user) };
const shortVideo = {
  model: 'alpha-2.0-pro',
  mode: 'text-to-video',
  prompt: 'A kite over a harbour',
  duration_seconds: '4',
  resolution: '480p',
};

/** The shape of a sample, which Zapier wants with a number, for a built-in model: none of them takes a guidance. */
const withoutGuidance = (sample: Record<string, string>) => ({ ...sample, guidance: 'null' });

describe('a step', () => {
  let video: Values;

  const inEditor = { meta: { isLoadingSample: true } };

  test('is tested without making anything, and shows its price and the balance', async () => {
    const seen = user.api.requests.length;
    const sample = results(await user.run('create_video', shortVideo, inEditor));
    expect(sample).toMatchObject({ type: 'video', status: 'completed', model: 'alpha-2.0-pro' });
    expect(sample).toMatchObject({ cost_credits: 28, available_credits: 1000, resolution: '480p' });
    const image = { model: 'image-b-2', prompt: 'A cup', n: '2' };
    const images = results(await user.run('create_image', image, inEditor));
    expect(images).toMatchObject({ type: 'image', cost_credits: 12, n: 2 });
    const requests = user.api.requests.slice(seen).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(requests)).toEqual(new Set(['GET /v1/models', 'GET /v1/credits/balance']));
    const copied = results<string>(await user.run('download', hydrated(sample['file'])));
    expect(copied).toMatch(/^http/);
    expect(user.platform.files.pop()).toMatchObject({ type: 'video/mp4', name: 'sample.mp4' });
  });

  test.each([
    [
      'a dead key',
      {},
      { api_key: `fg_live_${'x'.repeat(38)}` },
      'ExpiredAuthError',
      'no longer works',
    ],
    ['an unknown model', { model: 'alpha-9' }, {}, 'HaltedError', 'Choose another model.'],
    ['an image model', { model: 'image-b-2' }, {}, 'HaltedError', 'Choose another model.'],
    ['no prompt', { prompt: ' ' }, {}, 'HaltedError', 'Prompt: Must be text'],
    ['a length', { duration_seconds: 99 }, {}, 'HaltedError', 'Duration in Seconds: '],
    [
      'no frame',
      { mode: 'image-to-video' },
      {},
      'HaltedError',
      'needs one image with the role First',
    ],
    [
      'an invalid address',
      { mode: 'image-to-video', input_url: 'https://10.0.0.1/a.png' },
      ...[{}, 'HaltedError', 'The URL of an input is not valid.'],
    ],
    ['a price', { max_credits: 5 }, {}, 'HaltedError', 'This would cost 28 credits'],
  ] as [string, Values, Record<string, string>, string, string][])(
    'fails its test for %s',
    async (_case, changed, auth, name, sentence) => {
      const authData = { ...user.authData, ...auth };
      const inputData = { ...shortVideo, ...changed };
      const posts = user.posts().length;
      const { outcome } = await user.run('create_video', inputData, { ...inEditor, authData });
      expect(outcome).toMatchObject({ name, message: expect.stringContaining(sentence) });
      expect(user.posts()).toHaveLength(posts);
    },
  );

  test('fails its test when there are too few credits', async () => {
    const poor = await world.addUser({ credits: 5 });
    const { outcome } = await poor.run('create_video', shortVideo, inEditor);
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('This costs 28 credits, but only 5 are available.'),
    });
  });

  test.each(['create_video', 'create_image'] as const)(
    'of two is tested with the result of testing %s',
    async (create) => {
      const image = { model: 'image-b-2', prompt: 'A cup' };
      const order = create === 'create_video' ? shortVideo : image;
      const { id, type } = results(await user.run(create, order, inEditor));
      const [found] = results<Values[]>(
        await user.run('find_generation', { generation: id }, inEditor),
      );
      expect(found).toMatchObject({ id, type, status: 'completed' });
      results<string>(await user.run('download', hydrated(found?.['file'])));
      expect(user.platform.files.pop()?.type).toMatch(new RegExp(`^${String(type)}/`));
      expect(results(await user.run('find_generation', { generation: id }))).toEqual([]);
    },
  );

  test('shows the price that the API charges, without making anything', async () => {
    const posts = user.posts().length;
    const price = async (inputData: Values) =>
      results<Values[]>(await user.run('find_price', inputData));
    expect(await price({ model: 'alpha-2.0-pro', generate_audio: 'yes' })).toMatchObject([
      { cost_credits: 88, units: 5, resolution: '720p', available_credits: 1000 },
    ]);
    expect(await price({ model: 'image-b-2', n: '3', duration_seconds: 9 })).toMatchObject([
      { cost_credits: 18, unit: 'image', units: 3, resolution: '1k', generate_audio: false },
    ]);
    const { outcome } = await user.run('find_price', { model: 'image-b-2', n: 9 });
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('Number of Images: '),
    });
    expect(user.posts()).toHaveLength(posts);
  });

  test('finds the balance, and whether it is enough', async () => {
    const find = async (inputData: Values) =>
      results<Values[]>(await user.run('find_balance', inputData));
    const balance = { available_credits: 1000, credits_in_flight: 0, enough_credits: true };
    expect(await find({})).toMatchObject([balance]);
    expect(await find({ needed_credits: '1001' })).toMatchObject([{ enough_credits: false }]);
  });

  test('makes a video and gives it in the shape of its sample', async () => {
    const ran = await user.run('create_video', shortVideo, made);
    video = results(ran);
    const sample = await user.run('create_video', shortVideo, inEditor);
    expect(Object.keys(video)).toEqual(Object.keys(results(sample)));
    expect(shape(video)).toEqual(withoutGuidance(shape(results(sample))));
    expect(video).toMatchObject({ status: 'completed', duration_seconds: 4, cost_credits: 28 });
    expect(await user.count()).toEqual({ generations: 1, charges: 1, creditsSpent: 28 });
  });

  test('finds a video again, in the shape of its sample', async () => {
    const found = results<Values[]>(await user.run('find_generation', { generation: video['id'] }));
    const { searches } = (await import(
      new URL('../../integrations/zapier/src/app.ts', import.meta.url).href
    ).then(({ app }: { app: unknown }) => app)) as {
      searches: { find_generation: { operation: { sample: Values } } };
    };
    expect(shape(found[0] ?? {})).toEqual(
      withoutGuidance(shape(searches.find_generation.operation.sample)),
    );
    expect(found).toHaveLength(1);
    const id = String(video['id']);
    const entered = [id.toUpperCase(), ` ${user.api.origin}/v1/generations/${id}?x=1 `];
    for (const generation of entered) {
      expect(results(await user.run('find_generation', { generation }))).toMatchObject([{ id }]);
    }
  });

  test('finds nothing for an id of another account or no id at all', async () => {
    const other = await world.addUser();
    expect(results(await other.run('find_generation', { generation: video['id'] }))).toEqual([]);
    const seen = user.api.requests.length;
    for (const generation of ['../credits/balance', 'gen_', '', 'https://example.com/x']) {
      expect(results(await user.run('find_generation', { generation }))).toEqual([]);
    }
    expect(user.api.requests.length).toBe(seen);
  });

  test('makes images with one file each', async () => {
    const images = results(
      await user.run(
        'create_image',
        { model: 'image-b-2', prompt: 'Two kites', n: 2, output_format: 'jpeg' },
        made,
      ),
    );
    expect(images).toMatchObject({ status: 'completed', n: 2, cost_credits: 12 });
    expect(images['file_urls']).toHaveLength(2);
    expect(images['files']).toHaveLength(2);
    const sample = await user.run('create_image', { model: 'image-b-2', prompt: 'A' }, inEditor);
    expect(shape(images)).toEqual(withoutGuidance(shape(results(sample))));
  });

  test('passes a file on, read again and fetched without the key', async () => {
    const seen = user.api.requests.length;
    const copy = results<string>(await user.run('download', hydrated(video['file'])));
    expect(copy).toMatch(/^http/);
    const [file] = user.platform.files;
    expect(file).toMatchObject({ type: 'video/mp4', name: expect.stringMatching(/\.mp4$/) });
    expect(file?.bytes.subarray(4, 8).toString()).toBe('ftyp');
    const requests = user.api.requests.slice(seen);
    expect(
      requests.map(({ path, headers }) => [path.split('?')[0], 'authorization' in headers]),
    ).toEqual([
      [`/v1/generations/${String(video['id'])}`, true],
      [expect.stringMatching(/^\/media\//), false],
    ]);
  });

  test('fetches a file again when a page came in its place, and when it was cut', async () => {
    const pages = ['<html>Down for maintenance</html>', '<html>'];
    const inSlot = { 'content-type': 'text/html' };
    const whole = { 'content-type': 'video/mp4', 'content-length': '100000' };
    user.api.mischief = ({ path }) => {
      const body = path.startsWith('/media/') ? pages.pop() : undefined;
      const headers = pages.length === 0 ? inSlot : whole;
      return body === undefined ? undefined : { kind: 'response', status: 200, headers, body };
    };
    results<string>(await user.run('download', hydrated(video['file'])));
    const file = user.platform.files.at(-1);
    expect(pages).toEqual([]);
    expect(file).toMatchObject({ type: 'video/mp4', name: `${String(video['id'])}.mp4` });
    expect(file?.bytes.subarray(4, 8).toString()).toBe('ftyp');
  });

  test('reports a file that cannot be downloaded, without its address', async () => {
    user.api.mischief = ({ path }) =>
      path.startsWith('/media/') ? { kind: 'response', status: 503, body: '<secret>' } : undefined;
    const { outcome } = await user.run('download', hydrated(video['file']));
    expect(outcome).toMatchObject({
      name: 'AppError',
      message: `A file of generation ${String(video['id'])} could not be downloaded right now. Replay this step later.`,
    });
  });

  test('takes inputs as line items, as single values, and from its own files', async () => {
    const input = { input_role: 'first_frame', input_type: '' };
    const common = { ...shortVideo, model: 'alpha-2.5', mode: 'image-to-video', wait: 'no' };
    const hosted = { ...input, input_url: 'https://elsewhere.example/a.png' };
    const sent = async (inputData: object) => {
      await user.run('create_video', { ...common, ...inputData });
      return (JSON.parse(user.posts().at(-1)?.body ?? '{}') as { inputs: unknown }).inputs;
    };
    const line = { type: 'image', url: hosted.input_url, role: 'first_frame' };
    expect(await sent({ inputs: [hosted, { input_url: '', input_role: null }] })).toEqual([line]);
    expect(await sent(hosted)).toEqual([line]);
    expect(await sent({ inputs: hosted })).toEqual([line]);
    const image = { model: 'image-b-2', prompt: 'A first frame' };
    const { file_url } = results(await user.run('create_image', image, made));
    const own = { ...common, input_url: file_url };
    expect(results(await user.run('create_video', own))).toMatchObject({ status: 'queued' });
  });
});
