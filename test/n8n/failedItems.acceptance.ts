import { beforeEach, describe, expect, test } from '@jest/globals';
import { failureOf, type NodeTests, useNode, video, videoCredits } from './support/nodeTests.ts';

const tests = useNode();
let { framegate, account, run } = {} as NodeTests;
beforeEach(() => {
  ({ framegate, account, run } = tests());
});

const ids = (items: { json: Record<string, unknown> }[]) => items.map(({ json }) => json['id']);
const posts = () => framegate.line.seen.filter(({ method }) => method === 'POST');
const keys = () => posts().map(({ headers }) => headers['idempotency-key']);

describe('failed generations', () => {
  // By prompt: generations of earlier tests may still be unfinished.
  const breaks = (times: number, code: string, prompt = 'breaks') => {
    const error = { code, message: 'no' };
    const plan = { polls: 0, end: 'failed', error } as const;
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

  test('are not paid again by a repeat of the node', async () => {
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

  test('with their own key explain that the key returns the same generation, and name the next step', async () => {
    breaks(1, 'InternalServiceError', 'own');
    const own = (options: Record<string, unknown> = {}) =>
      video('own', { options: { idempotencyKey: 'order-9', ...options } });
    await failureOf(run(own()));
    const { description } = await failureOf(run(own(), { executionId: 'execution-2' }));
    expect(description).toMatch(
      /^The Idempotency Key order-9 returns this same result for 7 days: to create it again, open Options and enter another key, or raise the option Attempts/,
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

describe('a paid item that failed, when the node should continue', () => {
  const continued = { continueOnFail: true };

  test('keeps the id of the generation whose file cannot be fetched', async () => {
    const response = { status: 404, headers: { 'retry-after': '0' }, body: 'gone' };
    framegate.line.disturb({ method: 'GET', path: '/media/', times: 100, response });
    const [item] = await run(video('lost file', { download: true }), continued);
    expect(item).toEqual({
      json: {
        error: 'The finished file could not be downloaded',
        details: {
          generation_id: expect.stringMatching(/^gen_/),
          generation_status: 'completed',
          status_url: expect.stringMatching(/\/v1\/generations\/gen_/),
          description: expect.stringContaining('is not charged again'),
        },
      },
      pairedItem: { item: 0 },
    });
  });

  test('keeps the id of a failed one, and the reason', async () => {
    const error = { code: 'InternalServiceError', message: 'no' };
    framegate.ark.script({ on: 'task', plan: { polls: 0, end: 'failed', error } });
    const [item] = await run(video('fails'), continued);
    expect(item?.json['details']).toMatchObject({
      generation_id: expect.stringMatching(/^gen_/),
      code: 'generation_failed',
      refunded_credits: videoCredits,
      retryable: true,
    });
  });
});

describe('an item that is refused', () => {
  const items = [
    video('one'),
    video('two', { parameters: { durationSeconds: 99 } }),
    video('three'),
  ];

  test('ends the spending, and the message names the created generations', async () => {
    const { message, description, context } = await failureOf(run(items));
    expect(message).toBe('Duration (Seconds): alpha-2.0-mini takes 4 to 10 seconds');
    expect(description).toMatch(/^Code: invalid_request.*Also created by this run: item 0: gen_/);
    expect(context?.itemIndex).toBe(1);
    expect(framegate.ark.accepted('three')).toBe(0);
  });

  test('is passed on as data when the node should continue', async () => {
    const done = await run(items, { continueOnFail: true });
    expect(done.map(({ pairedItem }) => pairedItem?.item)).toEqual([0, 1, 2]);
    expect(done.map(({ json }) => json['status'])).toEqual(['completed', undefined, 'completed']);
    expect(done[1]?.json).toEqual({
      error: expect.stringMatching(/^Duration \(Seconds\)/),
      details: {
        code: 'invalid_request',
        http_status: 400,
        retryable: false,
        request_id: expect.stringMatching(/^req_/),
        description: expect.stringContaining('Request ID: req_'),
      },
    });
    expect(await framegate.spent(account)).toBe(2 * videoCredits);
  });
});
