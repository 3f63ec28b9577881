import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import {
  closeRoutes,
  imageRequest,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

let server: TinyServer;
let answer: (response: ServerResponse, path: string) => void = () => undefined;

beforeAll(async () => {
  server = await startTinyServer(({ path }, response) => answer(response, path));
});

afterEach(() => {
  server.got.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await server.close();
});

const origins = [
  ...['https://queue.fal.run', 'https://fal.run', 'https://generativelanguage.googleapis.com'],
  ...['https://api.replicate.com', 'https://dashscope-intl.aliyuncs.com', 'https://api.x.ai'],
  ...['https://api.openai.com', 'https://files.example'],
];

const factories: Record<string, string> = {
  ...{ fal: 'createFal', google: 'createGoogle', replicate: 'createReplicate' },
  ...{ alibaba: 'createAlibaba', xai: 'createXai', openai: 'createOpenAI' },
};

function open(
  name: string,
  model: string,
  options: Parameters<typeof openRoute>[2] = {},
  more = {},
) {
  return openRoute(
    {
      ...{ kind: 'ai-sdk', package: `@ai-sdk/${name}`, factory: factories[name] },
      ...{ mediaHosts: ['files.example'], allowPrivateNetwork: true, ...more },
      rewriteOrigins: Object.fromEntries(origins.map((origin) => [origin, server.origin])),
    },
    model,
    options,
  );
}

const queue = 'https://queue.fal.run/fal-ai/veo3';
const falJob = { responseUrl: `${queue}/requests/1`, submitUrl: queue };
const replicateJob = { getUrl: 'https://api.replicate.com/v1/predictions/1' };
const prediction = { id: '1', urls: { get: replicateJob.getUrl } };

/** What a look at a job comes to, given the provider's answer. */
async function lookAt(
  name: string,
  operation: unknown,
  answerWith: [number, unknown] | ((response: ServerResponse, path: string) => void),
  more = {},
) {
  answer = (response, path) =>
    typeof answerWith === 'function' ? answerWith(response, path) : json(response, ...answerWith);
  const { route } = await open(name, 'some-model', {}, more);
  return route.poll(operation, videoRequest(), never);
}

const html = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');

describe('the fal queue, whose package calls every failed poll a failed job', () => {
  const noVerdict: [string, Parameters<typeof lookAt>[2]][] = [
    ['500', [500, { detail: 'Internal Server Error' }]],
    ['500 of the gateway', html(500)],
    ['502 of a proxy', html(502)],
    ['503 without a body', (response) => response.writeHead(503).end()],
    ['429', [429, { detail: 'Too many requests' }]],
    ['401', [401, { detail: 'Unauthorized' }]],
    ['404', [404, { detail: 'Request not found' }]],
    ['200 with HTML', html(200)],
    ['a reset', (response) => response.destroy()],
  ];

  test.each(noVerdict)('%s while polling is no verdict', async (_, given) => {
    expect((await lookAt('fal', falJob, given)).kind).toBe('fault');
  });

  test.each(['COMPLETED', 'IN_PROGRESS'])('a 500 of a job that is %s', async (status) => {
    const given = (response: ServerResponse, path: string) =>
      path.endsWith('/status')
        ? json(response, 200, { status })
        : json(response, 500, { detail: 'Internal Server Error' });
    const isFinished = status === 'COMPLETED';
    expect(await lookAt('fal', falJob, given)).toMatchObject({ kind: 'fault', isFinished });
  });

  test('a job in the queue is pending, and then completed', async () => {
    const waiting: [number, object] = [400, { detail: 'Request is still in progress' }];
    expect(await lookAt('fal', falJob, waiting)).toEqual({ kind: 'pending' });
    const video = { url: 'https://files.example/1.mp4', content_type: 'video/mp4' };
    const done = await lookAt('fal', falJob, [200, { video }]);
    answer = (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('film');
    const bytes = await readOutput(done.kind === 'completed' ? done.outputs[0] : undefined);
    expect(bytes.toString()).toBe('film');
    expect(server.got.map(({ path, headers }) => [path, headers.authorization])).toEqual([
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
    ['an error of the model', [500, typed('internal_server_error')], 'generation_failed'],
    [
      'a runner that was lost',
      [503, { detail: 'x', error_type: 'runner_disconnected' }],
      'generation_failed',
    ],
    ['a job without a video', [200, { seed: 1 }], 'generation_failed'],
  ];

  test.each(verdicts)('%s is the job’s own verdict', async (_, given, code) => {
    expect(await lookAt('fal', falJob, given)).toMatchObject({ kind: 'failed', code });
  });

  test('the operator’s rules come first', async () => {
    const errorRules = [{ match: 'CONTENT_policy', code: 'input_rejected' }];
    const given: [number, object] = [422, typed('content_policy_violation')];
    const look = await lookAt('fal', falJob, given, { errorRules });
    expect(look).toMatchObject({ kind: 'failed', code: 'input_rejected' });
  });
});

describe('a look through the other packages', () => {
  const operation = { operationName: 'models/veo/operations/1' };
  const done = (response: object) => [200, { name: 'o', done: true, response }] as [number, object];
  const looks: [string, string, unknown, Parameters<typeof lookAt>[2], object][] = [
    [
      'google: 500',
      'google',
      operation,
      [500, { error: { code: 500, message: 'x', status: 'INTERNAL' } }],
      { kind: 'fault' },
    ],
    [
      'google: running',
      'google',
      operation,
      [200, { name: 'o', done: false }],
      { kind: 'pending' },
    ],
    [
      ...(['google: filtered', 'google', operation] as const),
      done({
        generateVideoResponse: {
          raiMediaFilteredCount: 1,
          raiMediaFilteredReasons: ['Violates our usage guidelines.'],
        },
      }),
      { kind: 'failed', code: 'output_rejected' },
    ],
    [
      'google: no samples',
      'google',
      operation,
      done({}),
      { kind: 'failed', code: 'generation_failed' },
    ],
    [
      ...(['google: error', 'google', operation] as const),
      [200, { name: 'o', done: true, error: { code: 3, message: 'blocked by our safety filter' } }],
      { kind: 'failed', code: 'output_rejected' },
    ],
    ['replicate: 500', 'replicate', replicateJob, [500, { detail: 'x' }], { kind: 'fault' }],
    ['replicate: nonsense', 'replicate', replicateJob, [200, { hello: 1 }], { kind: 'fault' }],
    [
      'replicate: aborted',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'aborted' }],
      { kind: 'failed', code: 'generation_failed' },
    ],
    [
      ...(['replicate: a list', 'replicate', replicateJob] as const),
      [200, { ...prediction, status: 'succeeded', output: ['https://files.example/1.mp4'] }],
      { kind: 'completed', outputs: [{}] },
    ],
    [
      ...(['replicate: sensitive', 'replicate', replicateJob] as const),
      [
        200,
        {
          ...prediction,
          status: 'failed',
          error: 'The input or output was flagged as sensitive. (E005)',
        },
      ],
      { kind: 'failed', code: 'output_rejected' },
    ],
    [
      'replicate: no output',
      'replicate',
      replicateJob,
      [200, { ...prediction, status: 'succeeded' }],
      { kind: 'failed', code: 'generation_failed' },
    ],
    [
      ...(['alibaba: input', 'alibaba', { taskId: '1' }] as const),
      [
        200,
        {
          output: {
            task_id: '1',
            task_status: 'FAILED',
            code: 'DataInspectionFailed',
            message: 'Input data may contain inappropriate content.',
          },
        },
      ],
      { kind: 'failed', code: 'input_rejected' },
    ],
    [
      'alibaba: unknown',
      'alibaba',
      { taskId: '1' },
      [200, { output: { task_id: '1', task_status: 'UNKNOWN' } }],
      { kind: 'pending' },
    ],
    [
      ...(['xai: moderation', 'xai', { requestId: '1' }] as const),
      [
        200,
        {
          status: 'done',
          video: { url: 'https://files.example/1.mp4', respect_moderation: false },
        },
      ],
      { kind: 'failed', code: 'output_rejected' },
    ],
    ['xai: 503', 'xai', { requestId: '1' }, html(503), { kind: 'fault' }],
  ];

  test.each(looks)('%s', async (_, name, job, given, expected) => {
    expect(await lookAt(name, job, given)).toMatchObject(expected);
  });

  test('google’s key, which the package puts into the file’s URL, is only used to fetch it', async () => {
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/1:download?alt=media';
    const look = await lookAt(
      ...(['google', operation] as const),
      done({ generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }),
      { mediaHosts: ['generativelanguage.googleapis.com'] },
    );
    answer = (response) => response.writeHead(302, { location: 'https://evil.example/' }).end();
    const output = look.kind === 'completed' ? look.outputs[0] : undefined;
    const failure = String(await readOutput(output).catch((error: unknown) => error));
    expect(failure).toContain('not in mediaHosts');
    expect(failure).not.toContain('secret-key');
    expect(JSON.stringify(look)).not.toContain('secret-key');
    expect(server.got.at(-1)?.path).toContain('key=secret-key');
  });
});

describe('images', () => {
  const gemini = (body: object): [number, unknown] => [200, body];
  const made: [
    string,
    string,
    string,
    [number, unknown] | ((response: ServerResponse) => void),
    object,
  ][] = [
    [
      ...(['fal: flagged', 'fal', 'fal-ai/flux/dev'] as const),
      [200, { images: [{ url: 'https://files.example/1.png' }], has_nsfw_concepts: [true] }],
      { kind: 'refused', code: 'output_rejected', busy: false },
    ],
    ['fal: 500', 'fal', 'fal-ai/flux/dev', [500, { detail: 'x' }], { kind: 'unknown' }],
    [
      'fal: 422',
      'fal',
      'fal-ai/flux/dev',
      [422, { detail: [{ loc: ['body'], msg: 'n', type: 'content_policy_violation' }] }],
      { kind: 'refused', code: 'input_rejected' },
    ],
    [
      ...(['fal: files elsewhere', 'fal', 'fal-ai/flux/dev'] as const),
      [200, { images: [{ url: 'https://elsewhere.example/1.png' }] }],
      { kind: 'unknown' },
    ],
    [
      ...(['google: safety', 'google', 'gemini-3-pro-image'] as const),
      gemini({ candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY' }] }),
      { kind: 'refused', code: 'output_rejected' },
    ],
    [
      ...(['google: words only', 'google', 'gemini-3-pro-image'] as const),
      gemini({
        candidates: [{ content: { parts: [{ text: 'Here it is' }] }, finishReason: 'STOP' }],
      }),
      { kind: 'refused', code: 'generation_failed' },
    ],
    [
      ...(['xai: moderation', 'xai', 'grok-imagine-image'] as const),
      [200, { data: [{ b64_json: 'aGk=', respect_moderation: false }] }],
      { kind: 'refused', code: 'output_rejected' },
    ],
    [
      ...(['replicate: failed', 'replicate', 'black-forest-labs/flux-2-pro'] as const),
      [201, { ...prediction, status: 'failed', error: 'NSFW content detected' }],
      { kind: 'refused', code: 'output_rejected' },
    ],
    [
      ...(['openai: moderation', 'openai', 'gpt-image-1'] as const),
      [
        400,
        {
          error: {
            message: 'Your request was rejected by the safety system.',
            type: 'image_generation_user_error',
            code: 'moderation_blocked',
          },
        },
      ],
      { kind: 'refused', code: 'input_rejected' },
    ],
    [
      'openai: busy',
      'openai',
      'gpt-image-1',
      [429, { error: { message: 'Rate limit', code: 'rate_limit_exceeded' } }],
      { kind: 'refused', code: null, busy: true },
    ],
    ['openai: HTML', 'openai', 'gpt-image-1', html(404), { kind: 'unknown' }],
  ];

  test.each(made)('%s', async (_, name, model, given, expected) => {
    answer = (response) =>
      typeof given === 'function' ? given(response) : json(response, ...given);
    const { route } = await open(name, model, { type: 'image' });
    expect(await route.submit(imageRequest(), never)).toMatchObject(expected);
  });

  test('are had whole or not at all: one call of three with an unknown end', async () => {
    let calls = 0;
    answer = (response, path) => {
      if (path.endsWith('.png'))
        response.writeHead(200, { 'content-type': 'image/png' }).end('png');
      else if ((calls += 1) === 2) response.destroy();
      else json(response, 200, { images: [{ url: 'https://files.example/1.png' }] });
    };
    const { route } = await open('fal', 'fal-ai/flux/dev', { type: 'image' });
    expect((await route.submit(imageRequest({ n: 3 }), never)).kind).toBe('unknown');
  });

  test('that we give up throw', async () => {
    const abort = new AbortController();
    answer = () => abort.abort(new Error('we stop'));
    const { route } = await open('openai', 'gpt-image-1', { type: 'image' });
    await expect(route.submit(imageRequest(), abort.signal)).rejects.toThrow('we stop');
  });
});
