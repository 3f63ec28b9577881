import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Fault, faults, isRawError } from '../support/strangeResponses.ts';
import {
  authData,
  fieldsOf,
  generationId,
  type LightApi,
  type LightOutcome,
  networkError,
  refusal,
  runLight,
  type Values,
  wholeApi,
} from './support/lightSteps.ts';

/* Messages of each step, form and list when the API, a proxy or the connection is in trouble. */

const video = { model: 'alpha-2.0-pro', mode: 'text-to-video', prompt: 'A kite' };
const inEditor = { meta: { isLoadingSample: true } };

/** Everything of the app that Zapier runs, except the hydrator, which has its own test file. */
const calls: Record<string, (api: LightApi) => Promise<{ outcome: LightOutcome }>> = {
  'the connection': (api) => runLight('test', {}, api),
  'the list of models': (api) => runLight('model_list', {}, api),
  'the fields of a video': (api) => fieldsOf('create_video', video, api),
  'the fields of a price': (api) => fieldsOf('find_price', { model: 'image-b-2' }, api),
  'Create Video': (api) => runLight('create_video', { ...video, wait: 'no' }, api),
  'Create Video by the name of a model': (api) =>
    runLight('create_video', { ...video, model: 'Alpha 2.0 Pro', max_credits: 99 }, api),
  'a test of Create Video': (api) => runLight('create_video', video, api, inEditor),
  'Create Image': (api) => runLight('create_image', { model: 'image-b-2', prompt: 'A cup' }, api),
  'Find Generation': (api) => runLight('find_generation', { generation: generationId }, api),
  'Find Price': (api) => runLight('find_price', { model: 'alpha-2.0-pro' }, api),
  'Find Balance': (api) => runLight('find_balance', {}, api),
};

/** The API behind faults, which disturb its responses in turn. */
function behind(plan: (Fault | undefined)[]): LightApi {
  const left = [...plan];
  return (request, body) => {
    const [status, told] = wholeApi(request, body);
    const fault = left.shift();
    if (fault === undefined) return [status, told];
    if (fault.status === 0) throw networkError('ECONNRESET');
    return [fault.status, fault.body(told)];
  };
}

const message = (outcome: LightOutcome) => ('error' in outcome ? outcome.message : '');

describe.each(Object.entries(calls))('%s', (_name, play) => {
  test('passes against an intact API', async () => {
    expect(message((await play(wholeApi)).outcome)).toBe('');
  });

  test('shows no JavaScript, no body and no key, whatever comes back', async () => {
    const plan = fc.array(fc.option(faults, { nil: undefined, freq: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(plan, async (each) => {
        const text = JSON.stringify((await play(behind(each))).outcome);
        expect(isRawError(text)).toBe(false);
        expect(text).not.toContain('maintenance');
        expect(text).not.toContain(authData.api_key);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a page, half a response or other JSON in place of', () => {
  test.each([
    ['the models', 'find_price', { model: 'alpha-2.0-pro' }, '/models'],
    ['the balance', 'find_balance', {}, '/credits/balance'],
  ])('%s is waited out as an outage', async (_what, step, inputData, path) => {
    for (const body of ['<html></html>', '{"data":[', { data: [{ id: 'x' }] }, { data: 'x' }, []]) {
      let isFirst = true;
      const { outcome } = await runLight(step, inputData, (request, sent) => {
        const isBroken = isFirst && request.endsWith(path);
        if (isBroken) isFirst = false;
        return isBroken ? [200, body] : wholeApi(request, sent);
      });
      expect(message(outcome)).toBe('');
    }
  });
});

describe('a refused create', () => {
  const refuse =
    (problem: Values): LightApi =>
    (request, body) =>
      request === 'POST /videos'
        ? [400, { error: { code: 'invalid_request', details: [problem] } }]
        : wholeApi(request, body);
  const inputs = { mode: 'image-to-video', input_url: 'https://a.example/a.png' };

  test.each([
    [
      'a length beyond the model',
      { model: 'alpha-2.0-mini', duration_seconds: 99 },
      { param: 'parameters.duration_seconds', message: 'Must be a whole number from 1 to 30.' },
      'Duration in Seconds: Alpha 2.0 Mini takes a whole number from 4 to 10 seconds.',
    ],
    [
      'a role that does not exist',
      { ...inputs, input_role: 'middle' },
      { param: 'inputs[0].role', message: 'Must be one of: first_frame, last_frame, reference.' },
      'Role 1: Must be First Frame or Last Frame.',
    ],
    [
      'a mode that does not exist',
      { mode: 'poem' },
      { param: 'mode', message: 'Must be one of: text-to-video, image-to-video.' },
      'Mode: Alpha 2.0 Pro offers Text to Video, Image to Video, References to Video.',
    ],
  ])('for %s names the values that the model takes', async (_case, changed, problem, sentence) => {
    const { outcome } = await runLight('create_video', { ...video, ...changed }, refuse(problem));
    expect(message(outcome)).toContain(sentence);
    expect(message(outcome)).not.toContain(problem.message);
  });

  test("uses the API's own words where the models cannot be read, or show no error", async () => {
    const problem = { param: 'prompt', message: 'Must not be this.' };
    const unread: LightApi = (request, body) =>
      request === 'GET /models' ? [503, {}] : refuse(problem)(request, body);
    for (const api of [refuse(problem), unread]) {
      const { outcome } = await runLight('create_video', video, api);
      expect(message(outcome)).toBe('These values are not accepted. Prompt: Must not be this.');
    }
  });
});

describe('a create whose response was lost', () => {
  const lost: LightApi = (request, body) => {
    if (request === 'POST /videos' && 'model' in body) throw networkError('ECONNRESET');
    return wholeApi(request, body);
  };

  test('names its Idempotency Key in the error that ends the run', async () => {
    const { outcome } = await runLight('create_video', video, lost, { hasCache: false });
    expect(message(outcome)).toMatch(/ its Idempotency Key is zap-[0-9a-f]{64}-[\d-]{10}-0\.$/);
  });

  test('also names the key if it is then refused', async () => {
    let posts = 0;
    const { outcome } = await runLight('create_video', video, (request, body) => {
      if (request === 'POST /videos' && 'model' in body && (posts += 1) > 1) {
        return [401, refusal('invalid_api_key')];
      }
      return lost(request, body);
    });
    expect(outcome).toMatchObject({ error: 'ExpiredAuthError' });
    expect(message(outcome)).toContain('its Idempotency Key is zap-');
  });

  test('is not named if nothing can have been made', async () => {
    const refused: LightApi = (request, body) =>
      request === 'POST /videos' ? [402, refusal('key_limit_reached')] : wholeApi(request, body);
    const { outcome } = await runLight('create_video', video, refused);
    expect(message(outcome)).not.toContain('zap-');
  });
});
