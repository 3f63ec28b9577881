import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { imageOrder } from '../../integrations/zapier/src/imageOrder.ts';
import { videoOrder } from '../../integrations/zapier/src/videoOrder.ts';
import { reportRows } from '../support/reportRows.ts';
import {
  generationId,
  networkError,
  refusal,
  runLight,
  type Values,
  wholeApi,
} from './support/lightSteps.ts';
import type { Definition } from './support/publishedChecks.ts';

/* Reports of users of other Zapier apps, tried on this one: integrations/zapier/docs/field.md has the sources. */

const source = new URL('../../integrations/zapier/src/', import.meta.url);
// Imported by URL, because its types come from Zapier's core, which only the app installs.
const { app } = (await import(new URL('app.ts', source).href)) as { app: Definition };

const video = { model: 'alpha-2.0-pro', mode: 'text-to-video', prompt: 'A kite' };
const steps: Record<string, Values> = {
  create_video: { ...video, wait: 'no' },
  create_image: { model: 'image-b-2', prompt: 'A cup' },
  find_generation: { generation: generationId },
  find_price: { model: 'alpha-2.0-pro' },
  find_balance: {},
};

describe('a mapped value', () => {
  const url = (name: string) => `https://files.example.com/${name}.png`;
  const cases: [string, unknown, string[]][] = [
    ['one address', url('a'), [url('a')]],
    ['a list of addresses', [url('a'), url('b')], [url('a'), url('b')]],
    ['a list as Zapier writes it', `${url('a')},${url('b')}`, [url('a'), url('b')]],
    ['the same with spaces', ` ${url('a')} , ${url('b')} `, [url('a'), url('b')]],
    ['an address with a comma', url('a,b'), [url('a,b')]],
    ['an empty list', [], []],
  ];

  test.each(cases)('%s is one input each', (_what, input_url, urls) => {
    for (const data of [{ input_url }, { inputs: [{ input_url }] }]) {
      expect(imageOrder(data).body.inputs?.map((input) => input.url) ?? []).toEqual(urls);
      const { body } = videoOrder({ ...data, mode: 'multimodal-to-video' });
      expect(body.inputs?.map((input) => input.url) ?? []).toEqual(urls);
    }
  });

  test('of any form is never omitted silently, because the step would make something else', () => {
    const fields = ['prompt', 'duration_seconds', 'resolution', 'seed', 'generate_audio'];
    for (const field of fields) {
      for (const value of [['7'], [7, 8], { id: 7 }, [{ id: 7 }], true]) {
        expect(JSON.stringify(videoOrder({ ...video, [field]: value }).body)).toMatch(
          value === true ? /true/ : /7/,
        );
      }
    }
    expect(videoOrder({ max_credits: ['5', '6'] }, { max_credits: 'x' })).toMatchObject({
      maxCredits: NaN,
    });
  });
});

describe('an output', () => {
  const actions = Object.values({ ...app.creates, ...app.searches });

  test.each(actions)('$key marks lists as lists, and nothing else', ({ operation }) => {
    const { outputFields = [], sample = {} } = operation;
    const lists = outputFields.filter(({ list }) => list === true).map(({ key }) => key);
    const arrays = Object.keys(sample).filter((key) => Array.isArray(sample[key]));
    expect(lists.toSorted()).toEqual(arrays.toSorted());
    expect(outputFields.filter(({ key }) => /\[\]|__/.test(key))).toEqual([]);
  });

  test.each(Object.keys(app.searches))('of %s is one result, or none', async (step) => {
    const { outcome } = await runLight(step, steps[step] as Values, wholeApi);
    expect(outcome).toMatchObject({ results: [expect.anything()] });
    const none = await runLight('find_generation', { generation: 'my video' }, wholeApi);
    expect(none.outcome).toEqual({ results: [] });
  });

  test('points to files by an id and a number, far below what Zapier keeps of a pointer', async () => {
    const { outcome } = await runLight('create_image', steps['create_image'] as Values, wholeApi);
    const { results } = outcome as { results: { files: object[] } };
    expect(results.files).toEqual([{ generation: generationId, index: 0 }]);
  });
});

describe('the service', () => {
  test.each(
    Object.keys(steps).flatMap((step) => [
      [step, 204, undefined] as const,
      [step, 200, ''] as const,
      [step, 200, null] as const,
    ]),
  )('that answers %s with %i and %p is waited out', async (step, status, nothing) => {
    let isFirst = true;
    const { outcome } = await runLight(step, steps[step] as Values, (request, body) => {
      const isEmpty = isFirst;
      isFirst = false;
      return isEmpty ? [status, nothing] : wholeApi(request, body);
    });
    expect(outcome).not.toHaveProperty('error');
  });

  test.each(Object.keys(steps))('that is busy makes Zapier repeat %s, never us', async (step) => {
    const { outcome, requests } = await runLight(step, steps[step] as Values, () => [
      429,
      refusal('rate_limited'),
    ]);
    expect(outcome).toMatchObject({ error: 'ThrottledError' });
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  test.each(['ENOTFOUND', 'ECONNREFUSED'])(
    'at a private network address (%s) is refused with the reason',
    async (code) => {
      const { outcome } = await runLight('test', {}, () => {
        throw networkError(code);
      });
      expect(outcome).toMatchObject({
        message: expect.stringMatching(/Zapier cannot reach .*own network|private network/),
      });
    },
  );
});

describe('the app', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('generated'),
  );
  const using = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(new URL(file, source), 'utf8')));

  test('stores files where Zapier allows it: in the functions that later steps call', () => {
    expect(using(/\bstashFile\(/)).toEqual(['hydrators.ts']);
    const direct = Object.values({ ...app.creates, ...app.searches, ...app.triggers });
    expect(direct.length).toBeGreaterThan(5);
    expect(using(/from '\.\.?\/hydrators\.ts'/).toSorted()).toEqual(['app.ts', 'output.ts']);
  });

  test('waits for no external call, which Zapier may drop', () => {
    expect(using(/performResume|generateCallbackUrl/)).toEqual([]);
  });

  test('keeps the key in a field that Zapier hides and blanks in its logs', () => {
    const { fields } = app.authentication;
    expect(fields.filter(({ type }) => type === 'password').map(({ key }) => key)).toEqual([
      'api_key',
    ]);
  });
});

test('every row of the page with the sources names a test, or the reason why it cannot happen', () => {
  const { count, unproven } = reportRows('zapier');
  expect(count).toBeGreaterThan(15);
  expect(unproven).toEqual([]);
});
