import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestAccount } from '../support/gateway.ts';
import { failureOf, model, runWith, video, videoCredits } from './support/nodeTests.ts';
import { expression, type RunOptions } from './support/runNode.ts';
import { startFramegate, type Framegate } from './support/startFramegate.ts';

let framegate: Framegate;
let account: TestAccount;

beforeAll(async () => {
  framegate = await startFramegate();
}, 240_000);
beforeEach(async () => {
  account = await framegate.addAccount();
});
afterEach(() => {
  framegate.line.reset();
  framegate.ark.reset();
});
afterAll(async () => {
  await framegate.stop();
});

const run = (params: RunOptions['params'], more: Partial<RunOptions> = {}) =>
  runWith(framegate, account, params, more);
const ids = (items: { json: Record<string, unknown> }[]) => items.map(({ json }) => json['id']);
const posts = () => framegate.line.seen.filter(({ method }) => method === 'POST');
const keys = () => posts().map(({ headers }) => headers['idempotency-key']);
const soon = { wait: false };

describe('a video', () => {
  test('is created, waited for and handed on', async () => {
    const [item] = await run(video('a boat'));
    expect(item?.json).toMatchObject({
      ...{ type: 'video', model: 'alpha-2.0-mini', status: 'completed' },
      ...{ cost_credits: videoCredits, id: expect.stringMatching(/^gen_/) },
      url: expect.stringContaining('.mp4'),
    });
    expect(Object.keys(item?.json ?? {}).length).toBeLessThanOrEqual(10);
    expect(item?.pairedItem).toEqual({ item: 0 });
    expect(await framegate.spent(account)).toBe(videoCredits);
  });

  test('is asked for with what the user set, and nothing else', async () => {
    await run(video('a boat', { parameters: {}, ...soon }));
    await run(
      video('a face', {
        ...{ model: model('alpha-2.0-fast'), mode: 'image-to-video', ...soon },
        inputs: { values: [{ url: 'https://a.example/1.png' }, { url: '' }] },
        parameters: { generateAudio: true, seed: 7, aspectRatio: '1:1' },
        ...{ realPersonMode: true, rightsConfirmed: true, consentReference: 'case/7' },
      }),
      { continueOnFail: true },
    );
    expect(posts().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { model: 'alpha-2.0-mini', prompt: 'a boat', mode: 'text-to-video' },
      {
        ...{ model: 'alpha-2.0-fast', prompt: 'a face', mode: 'image-to-video' },
        inputs: [{ type: 'image', url: 'https://a.example/1.png', role: 'first_frame' }],
        parameters: { aspect_ratio: '1:1', generate_audio: true, seed: 7, real_person_mode: true },
        compliance: { rights_confirmed: true, consent_reference: 'case/7' },
      },
    ]);
  });
});

describe('images', () => {
  test('are downloaded, each into a field of its own', async () => {
    const [item] = await run({
      ...{ resource: 'image', operation: 'create', model: model('image-b-2'), prompt: 'a fern' },
      ...{ parameters: { n: 2, outputFormat: 'webp' }, download: true },
      options: { binaryField: 'picture' },
    });
    expect(item?.json).toMatchObject({ status: 'completed', cost_credits: 12 });
    expect(Object.keys(item?.binary ?? {})).toEqual(['picture', 'picture_2']);
    const urls = item?.json['urls'] as string[];
    for (const [index, file] of Object.values(item?.binary ?? {}).entries()) {
      const kept = await fetch(String(urls[index])).then((answer) => answer.arrayBuffer());
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

describe('values out of expressions', () => {
  test('are read before anything is created, for every item', async () => {
    const options = { maximumCredits: expression(undefined) };
    const { message, context } = await failureOf(
      run([video('good', soon), video('no guard', { ...soon, options })]),
    );
    expect(message).toBe('Maximum Credits has no value');
    expect(context?.itemIndex).toBe(1);
    expect(posts()).toEqual([]);
  });

  test('that are no time end no wait, and are not polled for', async () => {
    const options = { timeoutSeconds: expression('600s') };
    const [item] = await run(video('restless', { options }), { continueOnFail: true });
    expect(item?.json['error']).toBe('Timeout (Seconds) must be a number above 0');
    expect(framegate.line.seen).toEqual([]);
  });

  test('are turned into what the field needs', async () => {
    const parameters = { durationSeconds: expression('4'), resolution: '480p' };
    const [item] = await run(video('', { prompt: expression(42), parameters }));
    expect(item?.json).toMatchObject({ status: 'completed', cost_credits: videoCredits });
    expect(JSON.parse(posts()[0]?.body ?? '')).toMatchObject({
      ...{ prompt: '42', parameters: { duration_seconds: 4 } },
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

  test('another execution, run or content is another generation', async () => {
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

  test('an answer that is lost is asked for again with the same key', async () => {
    const lost = { method: 'POST', path: '/v1/videos', cut: true, forwarded: true };
    framegate.line.disturb(lost);
    const [item] = await run(video('lost', soon));
    expect(item?.json).toMatchObject({ id: expect.stringMatching(/^gen_/) });
    expect(new Set(keys()).size).toBe(1);
    expect(posts()).toHaveLength(2);
    expect(await framegate.spent(account)).toBe(videoCredits);
  });

  test('an outcome that stays unknown is told with the key that settles it', async () => {
    framegate.line.disturb({
      ...{ method: 'POST', path: '/v1/videos', times: 4, forwarded: true },
      answer: { status: 502, headers: { 'retry-after': '0' }, body: '<h1>Bad gateway</h1>' },
    });
    const { message, description = '', httpCode } = await failureOf(run(video('unknown', soon)));
    expect({ message, httpCode }).toEqual({
      ...{ message: 'The service answered with HTTP status 502', httpCode: '502' },
    });
    const [, key] = /Idempotency Key to (\S+)\./.exec(description) ?? [];
    const options = { idempotencyKey: key };
    await run(video('unknown', { ...soon, options }), { executionId: 'execution-2' });
    expect(new Set(keys())).toEqual(new Set([key]));
    expect(await framegate.spent(account)).toBe(videoCredits);
  });

  test('a limit is waited out', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' }, body: {} };
    framegate.line.disturb({ method: 'POST', path: '/v1/videos', times: 2, answer: limited });
    await run(video('limited', soon));
    expect(posts().map(({ status }) => status)).toEqual([429, 429, 202]);
  });
});

describe('Maximum Credits', () => {
  const guarded = (maximumCredits: number, more: Record<string, unknown> = {}) =>
    video('guarded', { ...soon, ...more, options: { maximumCredits } });

  test('refuses a higher price before anything is created, for any item', async () => {
    const items = [guarded(100), guarded(videoCredits - 1)];
    const { message, context } = await failureOf(run(items));
    expect(message).toBe('This would cost 12 credits, more than the maximum of 11');
    expect(context?.itemIndex).toBe(1);
    expect(posts()).toEqual([]);
  });

  test('allows the very price, and knows what the usual parameters cost', async () => {
    await run(guarded(videoCredits));
    const { message } = await failureOf(run(guarded(29, { parameters: {} })));
    expect(message).toMatch(/cost 30 credits/);
    const image = { resource: 'image', operation: 'create', model: model('image-b-2') };
    const options = { maximumCredits: 17 };
    const three = { ...image, prompt: 'three', parameters: { n: 3 }, ...soon, options };
    expect((await failureOf(run(three))).message).toMatch(/cost 18 credits/);
    expect(await framegate.spent(account)).toBe(videoCredits);
  });
});

describe('failed generations', () => {
  // By prompt: what earlier tests did not wait for may still be on its way.
  const breaks = (times: number, code: string, prompt = 'breaks') => {
    const error = { code, message: 'no' };
    const plan = { looks: 0, end: 'failed', error } as const;
    framegate.ark.script({ on: 'task', prompt, times, plan });
  };
  const twice = video('again', { options: { attempts: 2 } });

  test('end the node, refunded, with the id', async () => {
    breaks(1, 'InternalServiceError');
    const { message, description } = await failureOf(run(video('breaks')));
    expect(message).toMatch(/generation failed/i);
    expect(description).toMatch(/Credits refunded: 12\. Generation: gen_/);
    expect(await framegate.spent(account)).toBe(0);
  });

  test('are not bought again by a repeat of the node', async () => {
    breaks(1, 'InternalServiceError');
    await failureOf(run(video('breaks')));
    await failureOf(run(video('breaks')));
    expect(framegate.ark.accepted('breaks')).toBe(1);
    expect(new Set(keys()).size).toBe(1);
  });

  test('are created again as often as the option says, and a repeat adds nothing', async () => {
    breaks(1, 'InternalServiceError', 'again');
    const first = await run(twice);
    const again = await run(twice);
    expect(ids(again)).toEqual(ids(first));
    expect(framegate.ark.accepted('again')).toBe(2);
    expect(await framegate.spent(account)).toBe(videoCredits);
  });

  test('with a key of their own say that the key gives the same again, and what to do', async () => {
    breaks(1, 'InternalServiceError', 'own');
    const own = (options: Record<string, unknown> = {}) =>
      video('own', { options: { idempotencyKey: 'order-9', ...options } });
    await failureOf(run(own()));
    const { description } = await failureOf(run(own(), { executionId: 'execution-2' }));
    expect(description).toMatch(
      /^The Idempotency Key order-9 gives this same result for 7 days: to create it anew, give another key, or raise the option Attempts/,
    );
    expect(description).not.toMatch(/create again|run .*again/i);
    expect(framegate.ark.accepted('own')).toBe(1);
    const [item] = await run(own({ attempts: 2 }), { executionId: 'execution-3' });
    expect(item?.json).toMatchObject({ status: 'completed' });
    expect(await framegate.spent(account)).toBe(videoCredits);
  });

  test('are not created again when the content is the reason', async () => {
    breaks(2, 'OutputVideoSensitiveContentDetected', 'again');
    await failureOf(run(twice));
    expect(framegate.ark.accepted('again')).toBe(1);
  });
});

describe('an item that was paid and went wrong, when the node shall continue', () => {
  const continued = { continueOnFail: true };

  test('keeps the id of the generation whose file cannot be got', async () => {
    const answer = { status: 404, headers: { 'retry-after': '0' }, body: 'gone' };
    framegate.line.disturb({ method: 'GET', path: '/media/', times: 100, answer });
    const [item] = await run(video('lost file', { download: true }), continued);
    expect(item).toEqual({
      json: {
        error: 'The finished file could not be downloaded',
        details: {
          ...{ generation_id: expect.stringMatching(/^gen_/), generation_status: 'completed' },
          status_url: expect.stringMatching(/\/v1\/generations\/gen_/),
          description: expect.stringContaining('is not paid again'),
        },
      },
      pairedItem: { item: 0 },
    });
  });

  test('keeps the id of a failed one, and why it failed', async () => {
    const error = { code: 'InternalServiceError', message: 'no' };
    framegate.ark.script({ on: 'task', plan: { looks: 0, end: 'failed', error } });
    const [item] = await run(video('fails'), continued);
    expect(item?.json['details']).toMatchObject({
      ...{ generation_id: expect.stringMatching(/^gen_/), code: 'generation_failed' },
      ...{ refunded_credits: videoCredits, retryable: true },
    });
  });
});

describe('an item that is refused', () => {
  const items = [
    video('one'),
    video('two', { parameters: { durationSeconds: 99 } }),
    video('three'),
  ];

  test('ends the spending, and the message names what was created', async () => {
    const { message, description, context } = await failureOf(run(items));
    expect(message).toMatch(/^Duration \(Seconds\): Must be a whole number from \d+ to \d+$/);
    expect(description).toMatch(/^Code: invalid_request.*Created by this run too: item 0: gen_/);
    expect(context?.itemIndex).toBe(1);
    expect(framegate.ark.accepted('three')).toBe(0);
  });

  test('is handed on as data when the node shall continue', async () => {
    const done = await run(items, { continueOnFail: true });
    expect(done.map(({ pairedItem }) => pairedItem?.item)).toEqual([0, 1, 2]);
    expect(done.map(({ json }) => json['status'])).toEqual(['completed', undefined, 'completed']);
    expect(done[1]?.json).toEqual({
      error: expect.stringMatching(/^Duration \(Seconds\)/),
      details: {
        ...{ code: 'invalid_request', http_status: 400, retryable: false },
        ...{ request_id: expect.stringMatching(/^req_/) },
        description: expect.stringContaining('Request ID: req_'),
      },
    });
    expect(await framegate.spent(account)).toBe(2 * videoCredits);
  });
});
