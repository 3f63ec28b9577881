import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadSource, shownOf } from './support/loadSource.ts';

/* Values as expressions give them, read by the node's own functions. Real n8n: problems.acceptance.ts. */

interface Place {
  context: object;
  itemIndex: number;
}
type Parameters = Record<string, unknown>;

let createOptionsOf: (place: Place) => Parameters;
let videoRequest: (place: Place) => { body: Parameters };
let imageRequest: (place: Place) => { body: Parameters };

beforeAll(async () => {
  ({ createOptionsOf } = await loadSource<{ createOptionsOf: typeof createOptionsOf }>(
    'nodes/Framegate/actions/itemOptions.ts',
  ));
  ({ videoRequest, imageRequest } = await loadSource<{
    videoRequest: typeof videoRequest;
    imageRequest: typeof imageRequest;
  }>('nodes/Framegate/actions/createBody.ts'));
});

/** An item with these parameters, as results of expressions. */
function place(parameters: Parameters): Place {
  const context = {
    getNode: () => ({ name: 'Framegate' }),
    getNodeParameter: (name: string, _item: number, fallback?: unknown) =>
      Object.hasOwn(parameters, name) ? parameters[name] : fallback,
  };
  return { context, itemIndex: 0 };
}

/** Errors of refused values. */
function refusal(read: () => unknown): { message: string; description: string } {
  try {
    read();
  } catch (error) {
    return shownOf(error);
  }
  throw new Error('nothing was refused');
}

const nothing: unknown[] = [undefined, null, '', '  ', NaN];

describe('an option that was added', () => {
  const options = (added: Parameters) => createOptionsOf(place({ options: added }));

  const numbers = [
    ['timeoutSeconds', 'Timeout (Seconds)'],
    ['attempts', 'Attempts for Failed Generations'],
    ['maxCredits', 'Maximum Credits'],
  ] as const;

  test.each(numbers)('%s without a value is refused with its label', (name, label) => {
    for (const value of nothing) {
      expect(refusal(() => options({ [name]: value }))).toEqual({
        message: `${label} has no value`,
        description: expect.stringContaining('Nothing was created'),
      });
    }
  });

  test.each(numbers)('an invalid number for %s is refused with its label', (name, label) => {
    for (const value of ['abc', '600s', '1e3', '-1', -1, 0, '0', Infinity, {}, [], true]) {
      const { message } = refusal(() => options({ [name]: value }));
      expect(message).toMatch(new RegExp(`^${label.replace(/[()]/g, '\\$&')} must be a `));
    }
  });

  test('attempts are whole and from 1 to 5, also from an expression', () => {
    for (const attempts of [1, 5, '3', '4.0']) {
      expect(options({ attempts })).toMatchObject({ attempts: Number(attempts) });
    }
    for (const attempts of [6, 100, 1.5, '2.5']) {
      expect(refusal(() => options({ attempts })).message).toBe(
        'Attempts for Failed Generations must be a whole number from 1 to 5',
      );
    }
  });

  test('numbers may be text', () => {
    const given = { timeoutSeconds: ' 600 ', maxCredits: '12.5' };
    expect(options(given)).toMatchObject({ timeoutSeconds: 600, maxCredits: 12.5 });
  });

  test('a key of their own must be one that the API takes', () => {
    expect(options({ idempotencyKey: 42 })).toMatchObject({ idempotencyKey: '42' });
    expect(options({ idempotencyKey: ' order-7 ' })).toMatchObject({ idempotencyKey: 'order-7' });
    for (const idempotencyKey of nothing) {
      expect(refusal(() => options({ idempotencyKey })).message).toBe(
        'Idempotency Key has no value',
      );
    }
    for (const idempotencyKey of ['a b', 'é', 'k'.repeat(256), {}]) {
      expect(refusal(() => options({ idempotencyKey })).message).toMatch(/^Idempotency Key must/);
    }
  });

  test('choices and names are checked', () => {
    expect(options({ onTimeout: 'STOP' })).toMatchObject({ onTimeout: 'stop' });
    expect(refusal(() => options({ onTimeout: 'wait' })).message).toMatch(
      /^On Timeout must be one/,
    );
    expect(refusal(() => options({ binaryField: undefined })).message).toMatch(/^Put Output File/);
  });

  test('omitted options have their usual values', () => {
    expect(options({})).toEqual({
      timeoutSeconds: 3600,
      onTimeout: 'return',
      binaryField: 'data',
      attempts: 1,
      shouldWait: true,
      shouldDownload: false,
      isSimplified: true,
      maxCredits: undefined,
      idempotencyKey: undefined,
    });
  });
});

describe('switches', () => {
  const wait = (value: unknown) => createOptionsOf(place({ wait: value }))['shouldWait'];

  test.each([
    ['true', true],
    ['Yes', true],
    [1, true],
    ['off', false],
    [' FALSE ', false],
    ['0', false],
  ])('%p is %p', (value, meant) => {
    expect(wait(value)).toBe(meant);
  });

  test('anything else is refused with the label', () => {
    for (const value of ['maybe', 2, {}, ...nothing]) {
      expect(refusal(() => wait(value)).message).toMatch(/^Wait for Completion (must|has)/);
    }
  });
});

describe('a request', () => {
  const usual = { mode: 'text-to-video', model: 'alpha-2.0-mini', prompt: 'a boat' };
  const video = (more: Parameters) => videoRequest(place({ ...usual, ...more })).body;
  const image = (more: Parameters) =>
    imageRequest(place({ model: 'image-b-2', prompt: 'a fern', ...more })).body;

  test('has the numbers and switches of a sheet as numbers and switches', () => {
    const cells = { durationSeconds: '4', generateAudio: 'yes', seed: '7', resolution: ' 480p ' };
    expect(video({ parameters: cells })).toMatchObject({
      parameters: { duration_seconds: 4, generate_audio: true, seed: 7, resolution: '480p' },
    });
    expect(image({ parameters: { n: '2', outputFormat: 'webp' } })).toMatchObject({
      parameters: { n: 2, output_format: 'webp' },
    });
    const flags = { realPersonMode: 'true', rightsConfirmed: 'true', consentReference: 2026 };
    expect(video(flags)).toMatchObject({
      parameters: { real_person_mode: true },
      compliance: { rights_confirmed: true, consent_reference: '2026' },
    });
  });

  test('has a number as text where a text is expected', () => {
    expect(video({ prompt: 42 })).toMatchObject({ prompt: '42' });
    expect(image({ prompt: 3.5 })).toMatchObject({ prompt: '3.5' });
  });

  test('takes modes and places by value or by name', () => {
    const inputs = [{ url: 'https://a.example/1.png', role: 'Last Frame' }, { url: '' }];
    expect(video({ mode: 'Image to Video', 'inputs.values': inputs })).toMatchObject({
      mode: 'image-to-video',
      inputs: [{ type: 'image', url: 'https://a.example/1.png', role: 'last_frame' }],
    });
    expect(video({ mode: 'References to Video' })).toMatchObject({ mode: 'multimodal-to-video' });
  });

  test('leaves an empty cell of a parameter to the model', () => {
    for (const value of nothing) {
      expect(video({ parameters: { durationSeconds: value } })).not.toHaveProperty('parameters');
    }
  });

  test.each([
    ['Duration (Seconds) must be a whole number', { parameters: { durationSeconds: '4 s' } }],
    ['Duration (Seconds) must be a whole number', { parameters: { durationSeconds: 4.5 } }],
    ['Generate Audio must be true or false', { parameters: { generateAudio: 'loud' } }],
    ['Seed must be a whole number', { parameters: { seed: 'abc' } }],
    ['Prompt has no value', { prompt: undefined }],
    ['Prompt has no value', { prompt: '   ' }],
    ['Prompt must be text', { prompt: { text: 'a boat' } }],
    ['Model has no value', { model: '' }],
    ['Consent Reference has no value', { realPersonMode: true }],
    ['Real-Person Mode has no value', { realPersonMode: undefined }],
    ['Inputs must be a list', { mode: 'image-to-video', 'inputs.values': 'https://a.example' }],
  ])('is refused: %s', (message, more) => {
    expect(refusal(() => video(more))).toMatchObject({ message });
  });

  test('shows the given value, and only a part of a long text', () => {
    const { description } = refusal(() => video({ parameters: { seed: 'x'.repeat(1000) } }));
    expect(description).toMatch(/^Given: "x{80}\.\.\."\./);
  });
});
