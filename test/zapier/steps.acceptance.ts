import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestBed, type TestBed, type ZapUser } from './support/testBed.ts';
import type { Ran } from './support/zap.ts';

/* The steps as a user meets them, with the preview renderer: fields, samples, results, files. */

let bed: TestBed;
let user: ZapUser;

beforeAll(async () => {
  bed = await startTestBed(['alpha-2.0-pro', 'alpha-2.5']);
  await bed.startWorker();
  user = await bed.addUser();
});

afterEach(() => {
  user.api.mischief = undefined;
});

afterAll(async () => {
  await bed.stop();
});

/** What a step gave; its error as a failed expectation. */
function results<T>({ outcome }: Ran): T {
  if (!outcome.ok) throw new Error(`${outcome.name}: ${outcome.message}`);
  return outcome.results as T;
}

type Fields = Record<string, unknown>;

const shortVideo = {
  model: 'alpha-2.0-pro',
  mode: 'text-to-video',
  prompt: 'A kite over a harbour',
  duration_seconds: '4',
  resolution: '480p',
};

/** Polls until a generation of this account has ended, without Zapier. */
const ended = (id: unknown) => user.account.untilEnded(String(id));

/** What Zapier hands to the hydrator when a later step takes this file. */
function hydrated(file: unknown): Fields {
  const [, json = ''] = /^hydrate\|\|\|(.*)\|\|\|hydrate$/.exec(String(file)) ?? [];
  const { method, bundle } = JSON.parse(json) as { method: string; bundle: Fields };
  expect(method).toBe('hydrators.downloadFile');
  return bundle;
}

/** The type of each field, for comparing a sample with an answer. */
function shape(values: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Array.isArray(value) ? `list of ${typeof value[0]}` : value === null ? 'null' : typeof value,
    ]),
  );
}

describe('a connection', () => {
  test('is tested on the balance, and its label tells accounts apart without a secret', async () => {
    const { label, available_credits } = results<Fields>(await user.run('test', {}));
    expect(available_credits).toBe(1000);
    expect(label).toMatch(/^127\.0\.0\.1:\d+, connection [0-9a-f]{6}$/);
    expect(label).not.toContain(user.account.apiKey.slice(-6));
    const other = await bed.addUser();
    expect(results<Fields>(await other.run('test', {}))['label']).not.toBe(label);
    const authData = { ...user.authData, connection_name: 'Marketing' };
    expect(results(await user.run('test', {}, { authData }))).toMatchObject({
      label: expect.stringMatching(/^Marketing \(127\.0\.0\.1:\d+\)$/),
    });
  });

  test.each([
    ['a wrong key', { api_key: 'fg_live_wrong' }, 'ExpiredAuthError', 'not valid any more'],
    ['no key', { api_key: ' ' }, 'ExpiredAuthError', 'Enter the API key'],
    ['plain http', { base_url: 'http://example.com/v1' }, 'AppError', 'must start with https://'],
    ['no /v1', { base_url: 'https://example.com' }, 'AppError', 'must end in /v1'],
    ['a user name', { base_url: 'https://a:b@example.com/v1' }, 'AppError', 'no user name'],
    ['no address', { base_url: '' }, 'AppError', 'Enter the Base URL'],
  ])('with %s says so', async (_case, changed, name, sentence) => {
    const { outcome } = await user.run('test', {}, { authData: { ...user.authData, ...changed } });
    expect(outcome).toMatchObject({ ok: false, name, message: expect.stringContaining(sentence) });
  });

  test('to something else than the API says so, shows no body and follows no redirect', async () => {
    const secret = '<html>internal details</html>';
    user.api.mischief = () => ({
      kind: 'answer',
      status: 302,
      headers: { location: `${user.api.origin}/elsewhere`, 'content-type': 'text/html' },
      body: secret,
    });
    const seen = user.api.requests.length;
    const { outcome } = await user.run('test', {});
    expect(outcome).toMatchObject({ name: 'AppError' });
    expect(outcome).toMatchObject({
      message: 'The Base URL does not lead to the API. Check the Base URL of this connection.',
    });
    expect(user.api.requests.slice(seen).map(({ path }) => path)).toEqual(['/v1/credits/balance']);
  });
});

describe('the form', () => {
  test('lists the models of the key, by type', async () => {
    const restricted = await bed.addUser({ models: ['alpha-2.5', 'image-a-2'] });
    expect(results(await restricted.run('video_models', {}))).toEqual([
      { id: 'alpha-2.5', name: 'Alpha 2.5' },
    ]);
    expect(results(await restricted.run('image_models', {}))).toEqual([
      { id: 'image-a-2', name: 'Image A 2' },
    ]);
    expect(results(await restricted.run('all_models', {}))).toHaveLength(2);
  });

  test('has the fields of every model for one that is mapped from an earlier step', async () => {
    const fields = async (step: 'video_fields' | 'image_fields' | 'estimate_fields', raw: Fields) =>
      results<{ key: string; label?: string; helpText?: string; children?: { key: string }[] }[]>(
        await user.run(step, {}, { inputDataRaw: { model: '{{1__model}}', ...raw } }),
      );
    const keys = async (...asked: Parameters<typeof fields>) =>
      (await fields(...asked)).map(({ key }) => key);
    const parameters = ['duration_seconds', 'resolution', 'aspect_ratio', 'generate_audio', 'seed'];
    const video = await fields('video_fields', { mode: '{{1__mode}}' });
    expect(video.map(({ key }) => key)).toEqual([
      ...['model', 'prompt', 'price', 'mode', 'inputs', ...parameters, 'real_person_mode'],
      ...['wait', 'maximum_credits', 'request_key'],
    ]);
    const inputs = video.find(({ key }) => key === 'inputs');
    expect(inputs?.children?.map(({ key }) => key)).toEqual([
      ...['input_url', 'input_role', 'input_type'],
    ]);
    const images = ['inputs', 'n', 'resolution', 'aspect_ratio', 'output_format', 'seed'];
    expect(await keys('image_fields', {})).toEqual(expect.arrayContaining(images));
    const priced = ['duration_seconds', 'n', 'resolution', 'generate_audio'];
    expect(await keys('estimate_fields', {})).toEqual(expect.arrayContaining(priced));
  });

  test('has the fields of the model and the mode', async () => {
    const keys = async (inputData: Fields) =>
      results<{ key: string }[]>(await user.run('video_fields', inputData)).map(({ key }) => key);
    const ends = ['wait', 'maximum_credits', 'request_key'];
    expect(await keys({})).toEqual(['model', 'prompt', ...ends]);
    const parameters = ['duration_seconds', 'resolution', 'aspect_ratio', 'generate_audio', 'seed'];
    const start = ['model', 'prompt', 'price', 'mode'];
    expect(await keys({ model: 'alpha-2.0-pro' })).toEqual([...start, ...parameters, ...ends]);
    const withInputs = { model: 'alpha-2.0-pro', mode: 'image-to-video' };
    expect(await keys(withInputs)).toEqual([
      ...start,
      ...['inputs', ...parameters, 'real_person_mode'],
      ...ends,
    ]);
    expect(await keys({ ...withInputs, real_person_mode: true })).toEqual([
      ...start,
      ...['inputs', ...parameters, 'real_person_mode', 'rights_confirmed', 'consent_reference'],
      ...ends,
    ]);
    expect(await keys({ model: 'alpha-2.5', mode: 'image-to-video' })).toEqual([
      ...start,
      ...['inputs', ...parameters],
      ...ends,
    ]);
  });

  test('shows the price and the bounds of the model', async () => {
    const fields = results<{ key: string; helpText?: string; choices?: unknown }[]>(
      await user.run('image_fields', { model: 'image-b-2' }),
    );
    const find = (key: string) => fields.find((field) => field.key === key);
    expect(find('price')?.helpText).toBe(
      '**Image B 2** costs per image, in credits: 6 at 1k, 9 at 2k, 18 at 4k. For example, 1 at 1k costs 6 credits.',
    );
    expect(find('n')?.helpText).toContain('from 1 to 4');
    expect(find('output_format')?.choices).toMatchObject([
      { value: 'png' },
      { value: 'jpeg' },
      { value: 'webp' },
    ]);
  });
});

describe('a step', () => {
  let video: Fields;

  const inEditor = { meta: { isLoadingSample: true } };

  test('is tested without making anything, and shows its price and the balance', async () => {
    const seen = user.api.requests.length;
    const sample = results<Fields>(await user.run('create_video', shortVideo, inEditor));
    expect(sample).toMatchObject({ type: 'video', status: 'completed', model: 'alpha-2.0-pro' });
    expect(sample).toMatchObject({ cost_credits: 28, available_credits: 1000, resolution: '480p' });
    const image = { model: 'image-b-2', prompt: 'A cup', n: '2' };
    const images = results<Fields>(await user.run('create_image', image, inEditor));
    expect(images).toMatchObject({ type: 'image', cost_credits: 12, n: 2 });
    const requests = user.api.requests.slice(seen).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(requests)).toEqual(new Set(['GET /v1/models', 'GET /v1/credits/balance']));
    const copied = results<string>(await user.run('download', hydrated(sample['file'])));
    expect(copied).toMatch(/^http/);
    expect(user.platform.files.pop()).toMatchObject({ type: 'video/mp4', name: 'sample.mp4' });
  });

  test.each([
    ['a dead key', {}, { api_key: 'fg_live_wrong' }, 'ExpiredAuthError', 'not valid any more'],
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
      'an address that is none',
      { mode: 'image-to-video', input_url: 'https://10.0.0.1/a.png' },
      ...[{}, 'HaltedError', 'The URL of an input is not acceptable.'],
    ],
    ['a price', { maximum_credits: 5 }, {}, 'HaltedError', 'This would cost 28 credits'],
  ] as [string, Fields, Record<string, string>, string, string][])(
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
    const poor = await bed.addUser({ credits: 5 });
    const { outcome } = await poor.run('create_video', shortVideo, inEditor);
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('This needs 28 credits and 5 are available.'),
    });
  });

  test.each(['create_video', 'create_image'] as const)(
    'of two is tested with what the test of %s shows',
    async (create) => {
      const image = { model: 'image-b-2', prompt: 'A cup' };
      const order = create === 'create_video' ? shortVideo : image;
      const { id, type } = results<Fields>(await user.run(create, order, inEditor));
      const [found] = results<Fields[]>(
        await user.run('find_generation', { generation: id }, inEditor),
      );
      expect(found).toMatchObject({ id, type, status: 'completed' });
      results<string>(await user.run('download', hydrated(found?.['file'])));
      expect(user.platform.files.pop()?.type).toMatch(new RegExp(`^${String(type)}/`));
      expect(results(await user.run('find_generation', { generation: id }))).toEqual([]);
    },
  );

  test('tells a price as the API charges it, without making anything', async () => {
    const posts = user.posts().length;
    const price = async (inputData: Fields) =>
      results<Fields>(await user.run('estimate_price', inputData));
    expect(await price({ model: 'alpha-2.0-pro', generate_audio: 'yes' })).toEqual({
      ...{ model: 'alpha-2.0-pro', type: 'video', cost_credits: 88, credits_per_unit: 14 },
      ...{ unit: 'second', units: 5, resolution: '720p', generate_audio: true },
      ...{ available_credits: 1000, enough_credits: true },
    });
    expect(await price({ model: 'image-b-2', n: '3', duration_seconds: 9 })).toMatchObject({
      ...{ cost_credits: 18, unit: 'image', units: 3, resolution: '1k', generate_audio: false },
    });
    const { outcome } = await user.run('estimate_price', { model: 'image-b-2', n: 9 });
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('Number of Images: '),
    });
    expect(user.posts()).toHaveLength(posts);
  });

  test('finds the balance, and whether it is enough', async () => {
    const find = async (inputData: Fields) =>
      results<Fields[]>(await user.run('find_balance', inputData));
    const balance = { available_credits: 1000, credits_in_flight: 0, enough_credits: true };
    expect(await find({})).toMatchObject([balance]);
    expect(await find({ needed_credits: '1001' })).toMatchObject([{ enough_credits: false }]);
  });

  test('makes a video and gives it in the shape of its sample', async () => {
    const waits = async () => {
      const [generation] = await bed.gateway.gateway.database.collections.generations
        .find({ accountId: user.account.accountId })
        .toArray();
      await ended(generation?._id);
    };
    const ran = await user.run('create_video', shortVideo, { betweenAttempts: waits });
    video = results<Fields>(ran);
    const sample = await user.run('create_video', shortVideo, inEditor);
    expect(Object.keys(video)).toEqual(Object.keys(results<Fields>(sample)));
    expect(shape(video)).toEqual(shape(results<Fields>(sample)));
    expect(video).toMatchObject({ status: 'completed', duration_seconds: 4, cost_credits: 28 });
    expect(await user.count()).toEqual({ generations: 1, charges: 1, creditsSpent: 28 });
  });

  test('finds it again, in the shape of its sample', async () => {
    const found = results<Fields[]>(await user.run('find_generation', { generation: video['id'] }));
    const { searches } = (await import(
      new URL('../../integrations/zapier/src/app.ts', import.meta.url).href
    ).then(({ app }: { app: unknown }) => app)) as {
      searches: { find_generation: { operation: { sample: Fields } } };
    };
    expect(shape(found[0] ?? {})).toEqual(shape(searches.find_generation.operation.sample));
    expect(found).toHaveLength(1);
    const id = String(video['id']);
    const entered = [id.toUpperCase(), ` ${user.api.origin}/v1/generations/${id}?x=1 `];
    for (const generation of entered) {
      expect(results(await user.run('find_generation', { generation }))).toMatchObject([{ id }]);
    }
  });

  test('finds nothing for an id of another account or no id at all', async () => {
    const other = await bed.addUser();
    expect(results(await other.run('find_generation', { generation: video['id'] }))).toEqual([]);
    const seen = user.api.requests.length;
    for (const generation of ['../credits/balance', 'gen_', '', 'https://example.com/x']) {
      expect(results(await user.run('find_generation', { generation }))).toEqual([]);
    }
    expect(user.api.requests.length).toBe(seen);
  });

  test('makes images with one file each', async () => {
    const images = results<Fields>(
      await user.run(
        'create_image',
        { model: 'image-b-2', prompt: 'Two kites', n: 2, output_format: 'jpeg' },
        { betweenAttempts: () => new Promise((resolve) => setTimeout(resolve, 500)) },
      ),
    );
    expect(images).toMatchObject({ status: 'completed', n: 2, cost_credits: 12 });
    expect(images['file_urls']).toHaveLength(2);
    expect(images['files']).toHaveLength(2);
    const sample = await user.run('create_image', { model: 'image-b-2', prompt: 'A' }, inEditor);
    expect(shape(images)).toEqual(shape(results<Fields>(sample)));
  });

  test('hands a file on, read anew and fetched without the key', async () => {
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

  test('says so when a file cannot be downloaded, without its address', async () => {
    user.api.mischief = ({ path }) =>
      path.startsWith('/media/') ? { kind: 'answer', status: 503, body: '<secret>' } : undefined;
    const { outcome } = await user.run('download', hydrated(video['file']));
    expect(outcome).toMatchObject({
      name: 'AppError',
      message: `A file of generation ${String(video['id'])} could not be downloaded for now. Replay this step later.`,
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
    const betweenAttempts = () => new Promise<void>((resolve) => setTimeout(resolve, 500));
    const made = results<Fields>(await user.run('create_image', image, { betweenAttempts }));
    const own = { ...common, input_url: made['file_url'] };
    expect(results(await user.run('create_video', own))).toMatchObject({ status: 'queued' });
  });

  test('keeps the key out of every log', () => {
    expect(user.platform.logged.join('\n')).toContain('/v1/videos');
    expect(user.platform.logged.join('\n')).not.toContain(user.account.apiKey);
  });
});
