import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { readOutput } from './routeFixtures.ts';
import { html, json, reset } from './tinyServer.ts';
import { type FakeResponse, useVerdictServer } from './verdictFixtures.ts';

const server = useVerdictServer();

const queue = 'https://queue.fal.run/fal-ai/veo3';
const falJob = { responseUrl: `${queue}/requests/1`, submitUrl: queue };

describe('the fal queue, whose package calls every failed poll a failed job', () => {
  const noVerdict: [string, FakeResponse][] = [
    ['500', [500, { detail: 'Internal Server Error' }]],
    ['500 of the gateway', html(500)],
    ['502 of a proxy', html(502)],
    ['503 without a body', (response) => response.writeHead(503).end()],
    ['429', [429, { detail: 'Too many requests' }]],
    ['401', [401, { detail: 'Unauthorized' }]],
    ['404', [404, { detail: 'Request not found' }]],
    ['200 with HTML', html(200)],
    ['a reset', reset],
  ];

  test.each(noVerdict)('%s while polling gives no verdict', async (_, given) => {
    expect((await server().poll('fal', falJob, given)).kind).toBe('fault');
  });

  test.each(['COMPLETED', 'IN_PROGRESS'])(
    'a 500 of a job that is %s gives no verdict',
    async (status) => {
      const given = (response: ServerResponse, path: string) =>
        path.endsWith('/status')
          ? json(response, 200, { status })
          : json(response, 500, { detail: 'Internal Server Error' });
      const isFinished = status === 'COMPLETED';
      expect(await server().poll('fal', falJob, given)).toMatchObject({
        kind: 'fault',
        isFinished,
      });
    },
  );

  test('a job in the queue is pending, and then completed', async () => {
    const waiting: [number, object] = [400, { detail: 'Request is still in progress' }];
    expect(await server().poll('fal', falJob, waiting)).toEqual({ kind: 'pending' });
    const video = { url: 'https://files.example/1.mp4', content_type: 'video/mp4' };
    const done = await server().poll('fal', falJob, [200, { video }]);
    server().given = (response) =>
      response.writeHead(200, { 'content-type': 'video/mp4' }).end('film');
    const bytes = await readOutput(done.kind === 'completed' ? done.outputs[0] : undefined);
    expect(bytes.toString()).toBe('film');
    expect(server().got.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/fal-ai/veo3/requests/1', 'Key secret-key'],
      ['/fal-ai/veo3/requests/1', 'Key secret-key'],
      ['/1.mp4', undefined],
    ]);
  });

  const typed = (type: string) => ({
    detail: [{ loc: ['body'], msg: 'No.', type, input: 'nsfw' }],
  });
  const verdicts: [string, [number, unknown], string][] = [
    ['refused content', [422, typed('content_policy_violation')], 'output_rejected'],
    ['no media', [422, typed('no_media_generated')], 'output_rejected'],
    ['an input that is too large', [422, typed('image_too_large')], 'input_invalid'],
    [
      'a runner that was lost',
      [503, { detail: 'x', error_type: 'runner_disconnected' }],
      'generation_failed',
    ],
  ];

  test.each(verdicts)("%s is the job's own verdict", async (_, given, code) => {
    expect(await server().poll('fal', falJob, given)).toMatchObject({ kind: 'failed', code });
  });

  test('a job without a video is finished, but its video may follow', async () => {
    const poll = await server().poll('fal', falJob, [200, { seed: 1 }]);
    expect(poll).toMatchObject({ kind: 'fault', isFinished: true });
  });

  test("the operator's rules come first", async () => {
    const errorRules = [{ match: 'CONTENT_policy', code: 'input_rejected' }];
    const given: [number, object] = [422, typed('content_policy_violation')];
    const poll = await server().poll('fal', falJob, given, { errorRules });
    expect(poll).toMatchObject({ kind: 'failed', code: 'input_rejected' });
  });
});
