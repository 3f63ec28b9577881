import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { results, type Values } from './support/zap.ts';
import { startZapierWorld, type ZapierWorld, type ZapUser } from './support/zapierWorld.ts';

/* The connection and the fields of the steps, as a user fills them in. */

let world: ZapierWorld;
let user: ZapUser;

beforeAll(async () => {
  world = await startZapierWorld(['alpha-2.0-pro', 'alpha-2.5']);
  user = await world.addUser();
});

afterEach(() => {
  user.api.mischief = undefined;
});

afterAll(async () => {
  await world.stop();
});

describe('a connection', () => {
  test('is tested on the balance, and its label tells accounts apart without a secret', async () => {
    const { label, available_credits } = results(await user.run('test', {}));
    expect(available_credits).toBe(1000);
    expect(label).toMatch(/^127\.0\.0\.1:\d+, connection [0-9a-f]{6}$/);
    expect(label).not.toContain(user.account.apiKey.slice(-6));
    const other = await world.addUser();
    expect(results(await other.run('test', {}))['label']).not.toBe(label);
    const authData = { ...user.authData, connection_name: 'Marketing' };
    expect(results(await user.run('test', {}, { authData }))).toMatchObject({
      label: expect.stringMatching(/^Marketing \(127\.0\.0\.1:\d+\)$/),
    });
  });

  test.each([
    [
      'a wrong key',
      { api_key: `fg_live_${'x'.repeat(38)}` },
      'ExpiredAuthError',
      'no longer works',
    ],
    ['no key', { api_key: ' ' }, 'ExpiredAuthError', 'The API key is missing.'],
    ['plain http', { base_url: 'http://example.com/v1' }, 'AppError', 'must begin with https://'],
    ['no scheme', { base_url: 'example.com/v1' }, 'AppError', 'not a valid URL'],
    ['no /v1', { base_url: 'https://example.com' }, 'AppError', 'must end in /v1'],
    ['a user name', { base_url: 'https://a:b@example.com/v1' }, 'AppError', 'without a user name'],
    [
      'no address',
      { base_url: '' },
      'AppError',
      "The base URL is missing. Your account's API keys page shows it.",
    ],
  ])('with %s is reported', async (_case, changed, name, sentence) => {
    const { outcome } = await user.run('test', {}, { authData: { ...user.authData, ...changed } });
    expect(outcome).toMatchObject({ ok: false, name, message: expect.stringContaining(sentence) });
  });

  test.each([
    [
      'a path too many',
      () => `${user.api.origin}/v2/v1`,
      'does not lead to the API. Copy it again',
    ],
    ['a port that nothing is at', () => 'http://127.0.0.1:9/v1', 'accepts no connections.'],
    [
      'a name that no server has',
      () => 'https://framegate.invalid/v1',
      /does not exist|currently unavailable/,
    ],
  ])('to %s is reported', async (_case, baseUrl, sentence) => {
    const authData = { ...user.authData, base_url: baseUrl() };
    const { outcome } = await user.run('test', {}, { authData });
    expect(outcome).toMatchObject({ name: 'AppError', message: expect.stringMatching(sentence) });
  });

  test('to something other than the API is reported without its body or a redirect', async () => {
    const secret = '<html>internal details</html>';
    user.api.mischief = () => ({
      kind: 'response',
      status: 302,
      headers: { location: `${user.api.origin}/elsewhere`, 'content-type': 'text/html' },
      body: secret,
    });
    const seen = user.api.requests.length;
    const { outcome } = await user.run('test', {});
    expect(outcome).toMatchObject({ name: 'AppError' });
    expect(outcome).toMatchObject({
      message:
        "The Base URL redirects to another address. Copy it again from your account's API keys page into the connection, under App Connections in Zapier; it ends in /v1.",
    });
    expect(user.api.requests.slice(seen).map(({ path }) => path)).toEqual(['/v1/credits/balance']);
  });
});

describe('the form', () => {
  test('lists the models of the key, by type', async () => {
    const restricted = await world.addUser({ models: ['alpha-2.5', 'image-a-2'] });
    expect(results(await restricted.run('video_models', {}))).toEqual([
      { id: 'alpha-2.5', name: 'Alpha 2.5' },
    ]);
    expect(results(await restricted.run('image_models', {}))).toEqual([
      { id: 'image-a-2', name: 'Image A 2' },
    ]);
    expect(results(await restricted.run('all_models', {}))).toHaveLength(2);
  });

  test('has the fields of every model for one that is mapped from an earlier step', async () => {
    const fields = async (step: 'video_fields' | 'image_fields' | 'price_fields', raw: Values) =>
      results<{ key: string; label?: string; helpText?: string; children?: { key: string }[] }[]>(
        await user.run(step, {}, { inputDataRaw: { model: '{{1__model}}', ...raw } }),
      );
    const keys = async (...asked: Parameters<typeof fields>) =>
      (await fields(...asked)).map(({ key }) => key);
    const parameters = ['duration_seconds', 'resolution', 'aspect_ratio', 'generate_audio', 'seed'];
    const video = await fields('video_fields', { mode: '{{1__mode}}' });
    expect(video.map(({ key }) => key)).toEqual([
      ...['model', 'prompt', 'price', 'mode', 'inputs', ...parameters, 'real_person_mode'],
      ...['wait', 'max_credits', 'request_key'],
    ]);
    const inputs = video.find(({ key }) => key === 'inputs');
    expect(inputs?.children?.map(({ key }) => key)).toEqual([
      ...['input_url', 'input_role', 'input_type'],
    ]);
    const images = ['inputs', 'n', 'resolution', 'aspect_ratio', 'output_format', 'seed'];
    expect(await keys('image_fields', {})).toEqual(expect.arrayContaining(images));
    const priced = ['duration_seconds', 'n', 'resolution', 'generate_audio'];
    expect(await keys('price_fields', {})).toEqual(expect.arrayContaining(priced));
  });

  test('has the fields of the model and the mode', async () => {
    const keys = async (inputData: Values) =>
      results<{ key: string }[]>(await user.run('video_fields', inputData)).map(({ key }) => key);
    const ends = ['wait', 'max_credits', 'request_key'];
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
      '**Image B 2**, in credits per image: 6 at 1k, 9 at 2k, 18 at 4k. Example: 1 image at 1k = 6 credits.',
    );
    expect(find('n')?.helpText).toContain('from 1 to 4');
    expect(find('output_format')?.choices).toMatchObject([
      { value: 'png' },
      { value: 'jpeg' },
      { value: 'webp' },
    ]);
  });
});
