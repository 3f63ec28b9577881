import { afterAll, beforeAll } from '@jest/globals';
import { statedVideo } from '../support/statedSupport.ts';
import { testTogether } from '../support/testTogether.ts';
import { file, ownTask, type Protocol, protocols, type Said } from './matrixProtocols.ts';
import { eachLine, type Line, type Matrix, startMatrix } from './matrixWorld.ts';

/* Providers that are data: shipped descriptions through a whole gateway, by the vendors' documents. */

const prediction = (status: string, rest: object = {}): Said => [
  200,
  { code: 200, message: 'success', data: { id: ownTask, status, ...rest } },
];

const wavespeed: Protocol = {
  path: /^\/api\/v3\//,
  accepted: (id) => ({ code: 200, message: 'success', data: { id, status: 'created' } }),
  refused: [400, { code: 1200, message: 'The content contains sensitive information.' }],
  pending: () => prediction('processing'),
  ended: {
    made: prediction('completed', { outputs: [file], timings: { inference: 2500 } }),
    moderated: prediction('failed', { code: 1200, error: 'It contains sensitive information.' }),
    failed: prediction('failed', { code: 1405, error: 'The task execution failed.' }),
  },
};

const task = (status: string, rest: object = {}): Said => [200, { id: ownTask, status, ...rest }];

const runway: Protocol = {
  path: /^\/v1\/(text_to_video|tasks)/,
  accepted: (id) => ({ id }),
  pending: () => task('RUNNING', { progress: 0.5 }),
  ended: {
    made: task('SUCCEEDED', { output: [file] }),
    refused: task('FAILED', { failure: 'no', failureCode: 'SAFETY.INPUT.TEXT' }),
    moderated: task('FAILED', { failure: 'no', failureCode: 'SAFETY.OUTPUT.VIDEO' }),
    failed: task('FAILED', { failure: 'no', failureCode: 'INTERNAL.BAD_OUTPUT.CODE01' }),
  },
};

const pixverseSays = (Resp: object): Said => [200, { ErrCode: 0, ErrMsg: 'success', Resp }];
const pixverseState = (status: number, rest: object = {}): Said =>
  pixverseSays({ id: ownTask, status, ...rest });

const pixverse: Protocol = {
  path: /^\/openapi\/v2\//,
  accepted: (id) => ({ ErrCode: 0, ErrMsg: 'success', Resp: { video_id: id } }),
  refused: [200, { ErrCode: 500_063, ErrMsg: 'no', Resp: null }],
  pending: () => pixverseState(5),
  ended: {
    made: pixverseState(1, { url: file, outputWidth: 1280, outputHeight: 720 }),
    moderated: pixverseState(7),
    failed: pixverseState(8),
  },
};

const novitaTask = (status: string, rest: object = {}, reason = ''): Said => [
  200,
  { task: { task_id: ownTask, status: `TASK_STATUS_${status}`, reason }, ...rest },
];

const novita: Protocol = {
  path: /^\/v3\/async\//,
  accepted: (task_id) => ({ task_id }),
  refused: [400, { code: 400, reason: 'ILLEGAL_PROMPT', message: 'no' }],
  pending: () => novitaTask('PROCESSING'),
  ended: {
    made: novitaTask('SUCCEED', { videos: [{ video_url: file, video_type: 'mp4' }] }),
    moderated: novitaTask('FAILED', {}, 'ILLEGAL_IMAGE_CONTENT'),
    failed: novitaTask('FAILED', {}, 'TASK_FAILED'),
  },
};

const openrouter: Protocol = {
  path: /^\/api\/v1\/videos(\/[^/]+)?$/,
  files: /^\/api\/v1\/videos\/[^/]+\/content\?index=0$/,
  accepted: (id) => ({ id, polling_url: `/api/v1/videos/${id}`, status: 'pending' }),
  refused: [
    403,
    {
      error: {
        code: 403,
        message: 'Your chosen model requires moderation and your input was flagged',
      },
    },
  ],
  pending: () => task('in_progress'),
  ended: {
    made: task('completed', { unsigned_urls: [file], usage: { cost: 0.5, is_byok: false } }),
    moderated: task('failed', { error: 'The video was blocked by a content filter.' }),
    failed: task('failed', { error: 'The provider failed.' }),
  },
};

const videos: Line[] = [
  {
    name: 'WaveSpeed',
    model: 'alpha-2.0-fast',
    providerModel: 'vendor/video-1/text-to-video',
    provider: { kind: 'http', like: 'wavespeed' },
    does: { ...statedVideo, modes: ['text-to-video'], audio: false },
    send: { duration: 'duration', resolution: 'resolution', ratio: 'aspect_ratio' },
    protocol: wavespeed,
  },
  {
    name: 'Runway',
    model: 'alpha-2.5',
    providerModel: 'gen4.5',
    provider: { kind: 'http', like: 'runway', polls: { everySeconds: 1 } },
    protocol: runway,
  },
  {
    name: 'PixVerse',
    model: 'alpha-2.0-pro',
    providerModel: 'v4.5',
    provider: { kind: 'http', like: 'pixverse' },
    protocol: pixverse,
  },
  {
    name: 'DashScope',
    model: 'alpha-2.5-lite',
    providerModel: 'happyhorse-1.0-t2v',
    provider: { kind: 'http', like: 'dashscope' },
    does: { audio: 'always' },
    protocol: protocols.alibaba,
  },
  {
    name: 'Novita',
    model: 'alpha-2.0-mini',
    providerModel: 'seedance-v1.5-pro-t2v',
    provider: { kind: 'http', like: 'novita' },
    protocol: novita,
  },
  {
    name: 'OpenRouter',
    model: 'beta-3.0',
    providerModel: 'google/veo-3.1',
    provider: { kind: 'http', like: 'openrouter' },
    does: statedVideo,
    protocol: openrouter,
  },
];

let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix(videos, [
    ...['https://api.wavespeed.ai', 'https://api.dev.runwayml.com'],
    ...['https://app-api.pixverse.ai', 'https://dashscope-intl.aliyuncs.com'],
    ...['https://api.novita.ai', 'https://openrouter.ai'],
  ]);
});
afterAll(() => matrix.stop());

// Most of the time is spent waiting for the next poll.
testTogether(eachLine(videos, (line) => matrix.expectLine(line)));
