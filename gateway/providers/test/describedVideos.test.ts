import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { input, never, openRoute, readOutput, videoRequest } from './routeFixtures.ts';
import { type Got, json } from './tinyServer.ts';
import { useTinyServer } from './useTinyServer.ts';

/* Videos at the API form of OpenAI, by its shipped description. */

let respond: (got: Got, response: ServerResponse) => void;
const server = useTinyServer((got, response) => respond(got, response));
const elsewhere = useTinyServer((_, response) => response.end('stolen'));

const does = {
  modes: ['text-to-video', 'image-to-video'],
  seconds: [4, 8],
  resolutions: ['720p'],
  aspectRatios: ['16:9', '9:16'],
};

async function open(more: object = {}, route: object = {}) {
  const provider = {
    kind: 'http',
    like: 'openai',
    baseURL: `${server().origin}/v1`,
    allowPrivateNetwork: true,
    ...more,
  };
  return (await openRoute(provider, 'video-1', { route: { does, ...route } })).route;
}

const operation = { taskId: 'video_1', endpoint: '/videos' };
const says = (status: number, body: unknown) => {
  respond = (_, response) => json(response, status, body);
};
const poll = async (body: unknown, more: object = {}) => {
  says(200, body);
  return (await open(more)).poll(operation, videoRequest(), never);
};

describe('an order', () => {
  test("is written by the template, with the key, and accepted with the task's id", async () => {
    says(200, { id: 'video_1', status: 'queued' });
    const route = await open({}, { options: { style: 'plain' } });
    const made = await route.submit(videoRequest({ duration_seconds: 8 }), never);
    expect(made).toMatchObject({ kind: 'accepted', operation });
    expect(route.taskIdOf?.(operation)).toBe('video_1');
    expect(server().got).toMatchObject([
      {
        method: 'POST',
        path: '/v1/videos',
        headers: { authorization: 'Bearer secret-key', 'content-type': 'application/json' },
      },
    ]);
    expect(server().got[0]?.body).toEqual({
      model: 'video-1',
      prompt: 'a quiet lake',
      seconds: '8',
      size: '1280x720',
      style: 'plain',
    });
  });

  test('has the first frame where the template places it', async () => {
    says(200, { id: 'video_1' });
    const inputs = [input('first_frame')];
    await (await open()).submit(videoRequest({}, { mode: 'image-to-video', inputs }), never);
    const inBase64 = Buffer.from('picture').toString('base64');
    expect(server().got[0]?.body).toMatchObject({
      input_reference: { image_url: `data:image/png;base64,${inBase64}` },
    });
  });

  test('is shown without the key, and not sent', async () => {
    const shown = await (await open()).show?.(videoRequest(), never);
    expect(shown).toMatchObject({
      method: 'POST',
      url: `${server().origin}/v1/videos`,
      dropped: [],
    });
    expect(JSON.parse(shown?.body ?? '')).toMatchObject({ seconds: '5', size: '1280x720' });
    expect(server().got).toEqual([]);
  });

  test.each([
    [401, { error: { code: 'invalid_api_key', message: 'no' } }, 'key'],
    [429, { error: { code: 'insufficient_quota', message: 'no' } }, 'account'],
    [404, { error: { code: 'model_not_found', message: 'no' } }, 'model_gone'],
    [429, { error: { code: 'rate_limit_exceeded', message: 'slow down' } }, 'busy'],
  ])('refused with %i %j shows %s', async (status, body, kind) => {
    says(status, body);
    const made = await (await open()).submit(videoRequest(), never);
    expect(made).toMatchObject({ kind: 'refused', code: null, health: { kind } });
  });

  test('refused for its content fails with our own code', async () => {
    says(400, { error: { code: 'moderation_blocked', message: 'vendor words' } });
    const made = await (await open()).submit(videoRequest(), never);
    expect(made).toMatchObject({ kind: 'refused', code: 'input_rejected' });
  });

  test.each([
    ['HTML', (_: Got, response: ServerResponse) => response.end('<html>busy</html>')],
    ['no id', (_: Got, response: ServerResponse) => json(response, 200, { object: 'video' })],
    ['a closed connection', (_: Got, response: ServerResponse) => response.destroy()],
  ])('that is answered by %s has an unknown outcome, and is sent once', async (_, say) => {
    respond = say;
    expect(await (await open()).submit(videoRequest(), never)).toMatchObject({ kind: 'unknown' });
    expect(server().got).toHaveLength(1);
  });
});

describe('a poll', () => {
  test.each(['queued', 'in_progress'])('that says %s is pending', async (status) => {
    expect(await poll({ id: 'video_1', status })).toEqual({ kind: 'pending' });
    expect(server().got[0]).toMatchObject({
      method: 'GET',
      path: '/v1/videos/video_1',
      headers: { authorization: 'Bearer secret-key' },
    });
  });

  test('of a finished task leads to its file, which is fetched with the key', async () => {
    const done = await poll({ id: 'video_1', status: 'completed', usage: { seconds: 8 } });
    expect(done).toMatchObject({ kind: 'completed', reported: expect.stringContaining('8') });
    respond = (_, response) => response.end('film');
    const [output] = done.kind === 'completed' ? done.outputs : [];
    expect(String(await readOutput(output))).toBe('film');
    expect(server().got.at(-1)).toMatchObject({
      path: '/v1/videos/video_1/content',
      headers: { authorization: 'Bearer secret-key' },
    });
  });

  test('of a file that is redirected fetches it without the key, and only from a named host', async () => {
    const toElsewhere = (_: Got, response: ServerResponse) =>
      response.writeHead(302, { location: `${elsewhere().origin}/film.mp4` }).end();
    for (const [mediaHosts, word] of [
      [[], null],
      [[elsewhere().host], 'stolen'],
    ] as const) {
      const done = await poll({ id: 'video_1', status: 'completed' }, { mediaHosts });
      respond = toElsewhere;
      const [output] = done.kind === 'completed' ? done.outputs : [];
      const read = readOutput(output).then(String, () => null);
      expect(await read).toBe(word);
    }
    expect(elsewhere().got).toHaveLength(1);
    expect(elsewhere().got[0]?.headers).not.toHaveProperty('authorization');
  });

  test('of a failed task has our code, and the words are for staff', async () => {
    const error = { code: 'moderation_blocked', message: 'vendor words' };
    expect(await poll({ id: 'video_1', status: 'failed', error })).toMatchObject({
      kind: 'failed',
      code: 'output_rejected',
      note: expect.stringContaining('vendor words'),
    });
    const other = { code: 'internal', message: 'no' };
    expect(await poll({ id: 'video_1', status: 'failed', error: other })).toMatchObject({
      kind: 'failed',
      code: 'generation_failed',
    });
  });

  test('answered about another task is no verdict', async () => {
    expect(await poll({ id: 'video_2', status: 'completed' })).toMatchObject({
      kind: 'fault',
      note: 'the response is about another task, video_2',
    });
  });

  test.each([
    [{ id: 'video_1', status: 'paused' }, 'unknown state "paused"'],
    [{ id: 'video_1', state: 'queued' }, 'nothing at /status (the response has /id, /state'],
  ])(
    'answered by %j is no verdict, and staff see the response without the key',
    async (body, words) => {
      const answered = await poll({ ...body, token: 'secret-key' });
      expect(answered).toMatchObject({ kind: 'fault', response: { status: 200 } });
      expect(JSON.stringify(answered)).not.toContain('secret-key');
      expect(answered.kind === 'fault' && answered.note).toContain(words);
    },
  );

  test('answered by HTML is no verdict', async () => {
    respond = (_, response) => response.end('<html>maintenance</html>');
    const polled = await (await open()).poll(operation, videoRequest(), never);
    expect(polled).toMatchObject({ kind: 'fault', note: expect.stringContaining('not a JSON') });
  });
});

test('a cancellation that the operator adds goes to the task, with the key', async () => {
  says(200, {});
  const cancel = { method: 'DELETE', path: '/videos/{id}' };
  const route = await open({ api: { videos: { cancel } } });
  const cancelled = await route.cancel?.(operation, never);
  expect(cancelled).toMatchObject({ isAccepted: true });
  expect(server().got).toMatchObject([
    {
      method: 'DELETE',
      path: '/v1/videos/video_1',
      headers: { authorization: 'Bearer secret-key' },
    },
  ]);
});

test.each([
  [200, { kind: 'success' }],
  [401, { kind: 'key' }],
  [500, null],
])('a free probe that is answered with %i shows %j', async (status, health) => {
  says(status, {});
  const route = await open();
  expect(await route.probe?.(never, route.keys?.[0])).toEqual(health);
  expect(server().got[0]?.path).toBe('/v1/models');
});
