import { beforeEach, describe, expect, test } from '@jest/globals';
import { expression } from '../../integrations/n8n/test/support/runNode.mts';
import {
  failureOf,
  model,
  type NodeTests,
  useNode,
  video,
  videoCredits,
} from './support/nodeTests.ts';

const tests = useNode();
let { framegate, account, run } = {} as NodeTests;
beforeEach(() => {
  ({ framegate, account, run } = tests());
});

const ids = (items: { json: Record<string, unknown> }[]) => items.map(({ json }) => json['id']);
const posts = () => framegate.line.seen.filter(({ method }) => method === 'POST');
const keys = () => posts().map(({ headers }) => headers['idempotency-key']);
const soon = { wait: false };

describe('a video', () => {
  test('is created, waited for and passed on', async () => {
    const [item] = await run(video('a boat'));
    expect(item?.json).toMatchObject({
      type: 'video',
      model: 'alpha-2.0-mini',
      status: 'completed',
      cost_credits: videoCredits,
      id: expect.stringMatching(/^gen_/),
      url: expect.stringContaining('.mp4'),
    });
    expect(Object.keys(item?.json ?? {}).length).toBeLessThanOrEqual(10);
    expect(item?.pairedItem).toEqual({ item: 0 });
    expect(await framegate.spent(account)).toBe(videoCredits);
  });

  test("is requested with the user's values only", async () => {
    await run(video('a boat', { parameters: {}, ...soon }));
    await run(
      video('a face', {
        model: model('alpha-2.0-fast'),
        mode: 'image-to-video',
        ...soon,
        inputs: { values: [{ url: 'https://a.example/1.png' }, { url: '' }] },
        parameters: { generateAudio: true, seed: 7, aspectRatio: '1:1' },
        realPersonMode: true,
        rightsConfirmed: true,
        consentReference: 'case/7',
      }),
      { continueOnFail: true },
    );
    expect(posts().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { model: 'alpha-2.0-mini', prompt: 'a boat', mode: 'text-to-video' },
      {
        model: 'alpha-2.0-fast',
        prompt: 'a face',
        mode: 'image-to-video',
        inputs: [{ type: 'image', url: 'https://a.example/1.png', role: 'first_frame' }],
        parameters: { aspect_ratio: '1:1', generate_audio: true, seed: 7, real_person_mode: true },
        compliance: { rights_confirmed: true, consent_reference: 'case/7' },
      },
    ]);
  });
});

describe('images', () => {
  test('are downloaded, each into its own field', async () => {
    const [item] = await run({
      resource: 'image',
      operation: 'create',
      model: model('image-b-2'),
      prompt: 'a fern',
      parameters: { n: 2, outputFormat: 'webp' },
      download: true,
      options: { binaryField: 'picture' },
    });
    expect(item?.json).toMatchObject({ status: 'completed', cost_credits: 12 });
    expect(Object.keys(item?.binary ?? {})).toEqual(['picture', 'picture_2']);
    const urls = item?.json['urls'] as string[];
    for (const [index, file] of Object.values(item?.binary ?? {}).entries()) {
      const kept = await fetch(String(urls[index])).then((response) => response.arrayBuffer());
      expect(Buffer.from(file.data, 'base64')).toEqual(Buffer.from(kept));
      expect(file).toMatchObject({
        mimeType: 'image/webp',
        fileName: expect.stringMatching(/webp$/),
      });
    }
    const media = framegate.line.seen.filter(({ path }) => path.includes('/outputs/'));
    expect(media.some(({ headers }) => 'authorization' in headers)).toBe(false);
  });
});

describe('values from expressions', () => {
  test('are read before anything is created, for every item', async () => {
    const options = { maxCredits: expression(undefined) };
    const { message, context } = await failureOf(
      run([video('good', soon), video('no guard', { ...soon, options })]),
    );
    expect(message).toBe('Maximum Credits has no value');
    expect(context?.itemIndex).toBe(1);
    expect(posts()).toEqual([]);
  });

  test('that are not a time neither end a wait nor cause a poll', async () => {
    const options = { timeoutSeconds: expression('600s') };
    const [item] = await run(video('restless', { options }), { continueOnFail: true });
    expect(item?.json['error']).toBe('Timeout (Seconds) must be a number above 0');
    expect(framegate.line.seen).toEqual([]);
  });

  test('are converted for their field', async () => {
    const parameters = { durationSeconds: expression('4'), resolution: '480p' };
    const [item] = await run(video('', { prompt: expression(42), parameters }));
    expect(item?.json).toMatchObject({ status: 'completed', cost_credits: videoCredits });
    expect(JSON.parse(posts()[0]?.body ?? '')).toMatchObject({
      prompt: '42',
      parameters: { duration_seconds: 4 },
    });
  });
});

describe('nothing is paid twice', () => {
  test('the same execution run again gets the same generations', async () => {
    const items = [video('one'), video('one'), video('two')];
    const first = await run(items);
    const again = await run(items);
    expect(ids(again)).toEqual(ids(first));
    expect(new Set(ids(first)).size).toBe(3);
    expect(await framegate.spent(account)).toBe(3 * videoCredits);
  });

  test('another execution, run or content makes another generation', async () => {
    const all = [
      await run(video('one', soon)),
      await run(video('one', soon), { executionId: 'execution-2' }),
      await run(video('one', soon), { runIndex: 1 }),
      await run(video('other', soon)),
    ];
    expect(new Set(all.flatMap(ids)).size).toBe(4);
    expect(new Set(keys()).size).toBe(4);
  });

  test('a key of their own holds across executions', async () => {
    const order = video('one', { ...soon, options: { idempotencyKey: ' order-7 ' } });
    const first = await run(order);
    const later = await run(order, { executionId: 'execution-2' });
    expect(ids(later)).toEqual(ids(first));
    expect(keys()).toEqual(['order-7', 'order-7']);
  });

  test('an unknown outcome is reported with the key that settles it', async () => {
    framegate.line.disturb({
      method: 'POST',
      path: '/v1/videos',
      times: 4,
      forwarded: true,
      response: { status: 502, headers: { 'retry-after': '0' }, body: '<h1>Bad gateway</h1>' },
    });
    const { message, description = '', httpCode } = await failureOf(run(video('unknown', soon)));
    expect({ message, httpCode }).toEqual({
      message: 'The service responded with HTTP status 502',
      httpCode: '502',
    });
    const [, key] = /Idempotency Key to (\S+)\./.exec(description) ?? [];
    const options = { idempotencyKey: key };
    await run(video('unknown', { ...soon, options }), { executionId: 'execution-2' });
    expect(new Set(keys())).toEqual(new Set([key]));
    expect(await framegate.spent(account)).toBe(videoCredits);
  });
});

describe('Maximum Credits', () => {
  const guarded = (maxCredits: number, more: Record<string, unknown> = {}) =>
    video('guarded', { ...soon, ...more, options: { maxCredits } });

  test('refuses a higher price before any item is created', async () => {
    const items = [guarded(100), guarded(videoCredits - 1)];
    const { message, context } = await failureOf(run(items));
    expect(message).toBe('This would cost 12 credits, more than the maximum of 11');
    expect(context?.itemIndex).toBe(1);
    expect(posts()).toEqual([]);
  });

  test('allows the exact price, and knows the price of the usual parameters', async () => {
    await run(guarded(videoCredits));
    const { message } = await failureOf(run(guarded(29, { parameters: {} })));
    expect(message).toMatch(/cost 30 credits/);
    const image = { resource: 'image', operation: 'create', model: model('image-b-2') };
    const options = { maxCredits: 17 };
    const three = { ...image, prompt: 'three', parameters: { n: 3 }, ...soon, options };
    expect((await failureOf(run(three))).message).toMatch(/cost 18 credits/);
    expect(await framegate.spent(account)).toBe(videoCredits);
  });
});
