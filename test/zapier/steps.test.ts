import { describe, expect, test } from '@jest/globals';
import { failureSentences } from '../../integrations/zapier/src/sentences.ts';
import { failureCodes } from '../../shared/src/failureCodes.ts';
import { apiWith, type LightApi, refusal, runLight, type Values } from './support/lightSteps.ts';

/* The steps without Zapier's core: messages of tests in the editor, prices, and the ends of failures. */

const video = {
  model: 'alpha-2.0-pro',
  mode: 'text-to-video',
  prompt: 'A kite',
  duration_seconds: '4',
  resolution: '480p',
};
const image = { model: 'image-b-2', prompt: 'A cup', n: '2' };
const inEditor = { meta: { isLoadingSample: true } };
const plenty = apiWith(1000);

/** The results of a step that succeeds. */
async function resultsOf(name: string, inputData: Values, api: LightApi = plenty, around = {}) {
  const { outcome } = await runLight(name, inputData, api, around);
  if (!('results' in outcome)) throw new Error(`${outcome.error}: ${outcome.message}`);
  return outcome.results as Values & Values[];
}

describe('a test in the editor', () => {
  test('makes nothing, and shows the price and the balance', async () => {
    const { outcome, requests } = await runLight('create_video', video, plenty, inEditor);
    expect(outcome).toMatchObject({
      results: {
        model: 'alpha-2.0-pro',
        cost_credits: 28,
        available_credits: 1000,
        duration_seconds: 4,
        resolution: '480p',
        shared_with_earlier_run: false,
      },
    });
    expect(requests).toEqual(['GET /models', 'GET /credits/balance']);
    expect(await resultsOf('create_image', image, plenty, inEditor)).toMatchObject({
      cost_credits: 12,
      n: 2,
      available_credits: 1000,
    });
  });

  test.each([
    ['an unknown model', { model: 'alpha-9' }, 'Choose another model.'],
    ['a model of the other type', { model: 'image-b-2' }, 'Choose another model.'],
    ['an empty prompt', { prompt: ' ' }, 'Prompt: Must be text of 1 to '],
    [
      'a length that the model does not offer',
      { duration_seconds: 99 },
      'Duration in Seconds: Alpha',
    ],
    ['an image without a role', { mode: 'image-to-video' }, 'Inputs: Image to Video needs one'],
    [
      'an invalid address',
      { mode: 'image-to-video', input_url: 'https://127.0.0.1/a.png' },
      'The URL of an input is not valid.',
    ],
    [
      'missing consent',
      {
        mode: 'image-to-video',
        input_url: 'https://a.example/a.png',
        real_person_mode: 'yes',
        rights_confirmed: 'yes',
      },
      'Fill in both fields.',
    ],
    ['a price above the maximum', { max_credits: 27 }, 'more than the maximum of 27.'],
  ])('fails for %s', async (_case, changed, sentence) => {
    const tested = await runLight('create_video', { ...video, ...changed }, plenty, inEditor);
    expect(tested.outcome).toMatchObject({
      error: 'HaltedError',
      message: expect.stringContaining(sentence),
    });
  });

  test('fails for too few credits, a revoked key and an unresponsive API', async () => {
    const testConnection = async (api: LightApi) =>
      (await runLight('create_video', video, api, inEditor)).outcome;
    expect(await testConnection(apiWith(27))).toMatchObject({
      error: 'HaltedError',
      message: expect.stringContaining('This costs 28 credits, but only 27 are available.'),
    });
    expect(await testConnection(() => [401, refusal('invalid_api_key')])).toMatchObject({
      error: 'ExpiredAuthError',
    });
    expect(await testConnection(() => [503, refusal('service_unavailable')])).toMatchObject({
      error: 'Error',
      message: 'The API is currently unavailable. Try again in a minute.',
    });
  });

  test.each([
    ['create_video', video],
    ['create_image', image],
  ])('of Find Generation finds the result shown by that of %s', async (create, order) => {
    const { id, type } = await resultsOf(create, order, plenty, inEditor);
    const [found] = await resultsOf('find_generation', { generation: id }, plenty, inEditor);
    expect(found).toMatchObject({ id, type, status: 'completed', file: { sample: type } });
    expect(await resultsOf('find_generation', { generation: id })).toEqual([]);
  });
});

describe('Find Generation', () => {
  const id = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';

  test.each([
    ['an id', id, [`GET /generations/${id}`]],
    ['an id in capitals', ` ${id.toUpperCase()} `, [`GET /generations/${id}`]],
    ['a status URL', `https://api.example.com/v1/generations/${id}`, [`GET /generations/${id}`]],
    ['a file URL', `https://media.example.com/${id}/0.mp4?x=1`, [`GET /generations/${id}`]],
    ['a longer word', `${id}x`, []],
    ['another address', 'https://example.com/../credits/balance', []],
  ])('takes %s', async (_case, generation, asked) => {
    const { requests } = await runLight('find_generation', { generation }, plenty);
    expect(requests).toEqual(asked);
  });
});

describe('the price of a step', () => {
  test('is shown without making anything', async () => {
    expect(
      await resultsOf('find_price', { model: 'alpha-2.0-pro', generate_audio: 'yes' }),
    ).toEqual([
      {
        model: 'alpha-2.0-pro',
        type: 'video',
        cost_credits: 88,
        credits_per_unit: 14,
        unit: 'second',
        units: 5,
        resolution: '720p',
        generate_audio: true,
        available_credits: 1000,
        enough_credits: true,
      },
    ]);
    const images = { model: 'Image B 2', n: '3', duration_seconds: 9, generate_audio: 'yes' };
    const { outcome, requests } = await runLight('find_price', images, apiWith(17));
    expect(outcome).toMatchObject({
      results: [{ cost_credits: 18, unit: 'image', units: 3, enough_credits: false }],
    });
    expect(requests).toEqual(['GET /models', 'GET /credits/balance']);
  });

  test.each([
    [11.5, {}, 'This would cost 28 credits, more than the maximum of 11.5.'],
    ['ten', {}, 'Maximum Credits must be a number above 0.'],
    [0, {}, 'Maximum Credits must be a number above 0.'],
    ['', { max_credits: '{{1__limit}}' }, 'Maximum Credits must be a number above 0.'],
    [undefined, { max_credits: '{{1__limit}}' }, 'Maximum Credits must be a number above 0.'],
  ])('is compared with Maximum Credits %p before a create', async (maximum, inputDataRaw, told) => {
    const order = { ...video, max_credits: maximum };
    const { outcome, requests } = await runLight('create_video', order, plenty, { inputDataRaw });
    expect(outcome).toMatchObject({ error: 'HaltedError', message: expect.stringContaining(told) });
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  test('can be compared with the balance', async () => {
    const balance = { as_of: '2026-11-20T12:00:00.000Z', credits_in_flight: 70 };
    expect(await resultsOf('find_balance', {}, apiWith(930))).toEqual([
      { ...balance, available_credits: 930, enough_credits: true },
    ]);
    const [poor] = await resultsOf('find_balance', { needed_credits: '931' }, apiWith(930));
    expect(poor).toMatchObject({ enough_credits: false });
    const { outcome } = await runLight('find_balance', { needed_credits: 'all' }, plenty);
    expect(outcome).toMatchObject({ error: 'HaltedError' });
  });
});

describe('a failed generation', () => {
  const failing =
    (code: string, message = 'x'): LightApi =>
    (request, body) => {
      // A create request without content asks whether a key of yesterday is taken, in the day's first hours.
      if (request === 'POST /videos' && !('model' in body)) {
        return [400, refusal('invalid_request')];
      }
      const made = { type: 'video', parameters: {}, billing: { cost_credits: 28 } };
      const failed = { ...made, status: 'failed', created_at: new Date().toISOString() };
      const error = { code, param: 'inputs[1].url', message, retryable: true };
      return [202, { id: 'gen_01kagw2m5t9x3q7r8v4c6e0hjn', ...failed, error }];
    };

  test('for a file of the wrong kind', async () => {
    const message = 'This is a HEIC image: send JPEG, PNG or WebP.';
    const { outcome } = await runLight('create_video', video, failing('input_invalid', message));
    expect(outcome).toMatchObject({ message: expect.stringContaining(` ${message} Its credits`) });
  });

  test.each(Object.entries(failureCodes))('with %s', async (code, { retryable }) => {
    const sentence = failureSentences[code as keyof typeof failureCodes];
    const { outcome } = await runLight('create_video', video, failing(code));
    // Zapier replays errors by itself; a halted run is left alone.
    expect(outcome).toEqual({
      error: retryable ? 'Error' : 'HaltedError',
      message: `Generation gen_01kagw2m5t9x3q7r8v4c6e0hjn failed (Input URL 2): ${sentence} Its credits were refunded.`,
    });
  });
});
