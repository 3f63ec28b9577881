import { task as bflTask, type Plan } from './fakeBfl.ts';

/** What becomes of an order; the prompt says it. */
export const fates = ['made', 'refused', 'moderated', 'failed'] as const;
export type Fate = (typeof fates)[number];

/** Where the file is that is made. */
const file = 'https://files.example/1.mp4';
const inappropriate = (side: string) => `${side} data may contain inappropriate content.`;

/** A video provider's protocol, as its documents have it: the answers to a submit and to looks. */
interface Protocol {
  /** Of the paths that it is asked at. */
  path: RegExp;
  accepted(id: string): object;
  refused: [number, object];
  pending(id: string): object;
  ended: Record<Exclude<Fate, 'refused'>, [number, object]>;
}

const typed = (type: string): object => ({ detail: [{ loc: ['body'], msg: 'no', type }] });
const prediction = (id: string, rest: object): object => ({
  ...{ id, urls: { get: `https://api.replicate.com/v1/predictions/${id}` }, ...rest },
});
const operation = (rest: object): object => ({
  name: 'models/veo/operations/1',
  done: true,
  ...rest,
});
const task = (task_status: string, rest: object = {}): object => ({
  ...{ request_id: 'r', output: { task_id: '1', task_status, ...rest } },
});

/** The protocols of the video providers. */
export const protocols: Record<string, Protocol> = {
  fal: {
    path: /^\/fal-ai\//,
    accepted: (id) => ({
      request_id: id,
      response_url: `https://queue.fal.run/fal-ai/x/requests/${id}`,
    }),
    refused: [422, typed('content_policy_violation')],
    pending: () => ({ detail: 'Request is still in progress' }),
    ended: {
      made: [200, { video: { url: file }, seed: 1 }],
      moderated: [422, typed('content_policy_violation')],
      failed: [500, typed('internal_server_error')],
    },
  },
  google: {
    path: /^\/v1beta\//,
    accepted: (id) => ({ name: `models/veo/operations/${id}` }),
    refused: [400, { error: { code: 400, message: 'It violates our usage guidelines.' } }],
    pending: () => ({ name: 'models/veo/operations/1', done: false }),
    ended: {
      made: [
        200,
        operation({
          response: { generateVideoResponse: { generatedSamples: [{ video: { uri: file } }] } },
        }),
      ],
      moderated: [
        200,
        operation({
          response: {
            generateVideoResponse: {
              raiMediaFilteredCount: 1,
              raiMediaFilteredReasons: ['It violates our usage guidelines.'],
            },
          },
        }),
      ],
      failed: [200, operation({ error: { code: 13, message: 'Internal error.' } })],
    },
  },
  replicate: {
    path: /^\/v1\/(models\/.*\/)?predictions/,
    accepted: (id) => prediction(id, { status: 'starting' }),
    refused: [422, { detail: 'NSFW content detected', status: 422, title: 'Invalid input' }],
    pending: (id) => prediction(id, { status: 'processing' }),
    ended: {
      made: [
        200,
        prediction('1', { status: 'succeeded', output: file, metrics: { predict_time: 41.5 } }),
      ],
      moderated: [200, prediction('1', { status: 'failed', error: 'flagged as sensitive (E005)' })],
      failed: [200, prediction('1', { status: 'failed', error: 'CUDA out of memory' })],
    },
  },
  alibaba: {
    path: /^\/api\/v1\//,
    accepted: (task_id) => ({
      ...{ request_id: 'r', output: { task_id, task_status: 'PENDING' } },
    }),
    refused: [
      400,
      { code: 'DataInspectionFailed', message: inappropriate('Input'), request_id: 'r' },
    ],
    pending: () => task('RUNNING'),
    ended: {
      made: [
        200,
        { ...task('SUCCEEDED', { video_url: file }), usage: { video_duration: 5, video_count: 1 } },
      ],
      moderated: [
        200,
        task('FAILED', { code: 'DataInspectionFailed', message: inappropriate('Output') }),
      ],
      failed: [200, task('FAILED', { code: 'InternalError', message: 'An error occurred.' })],
    },
  },
  xai: {
    path: /^\/v1\/videos/,
    accepted: (id) => ({ request_id: id }),
    refused: [
      400,
      { code: 'invalid_request', error: 'Refused by content moderation: flagged as inappropriate' },
    ],
    pending: () => ({ status: 'pending' }),
    ended: {
      made: [200, { status: 'done', video: { url: file, respect_moderation: true } }],
      moderated: [200, { status: 'done', video: { url: file, respect_moderation: false } }],
      failed: [200, { status: 'failed' }],
    },
  },
  ark: {
    path: /^\/api\/v3\//,
    accepted: (id) => ({ id }),
    refused: [400, { error: { code: 'InputTextSensitiveContentDetected', message: 'no' } }],
    pending: (id) => ({ id, status: 'running' }),
    ended: {
      made: [
        200,
        {
          ...{ id: '1', status: 'succeeded', content: { video_url: file } },
          usage: { completion_tokens: 108_900, total_tokens: 108_900 },
        },
      ],
      moderated: [
        200,
        {
          ...{ id: '1', status: 'failed' },
          error: { code: 'OutputVideoSensitiveContentDetected', message: 'no' },
        },
      ],
      failed: [
        200,
        { id: '1', status: 'failed', error: { code: 'InternalServiceError', message: 'no' } },
      ],
    },
  },
};

/** Black Forest Labs moderate the input, too, only when the task is looked at. */
export const bflPlans: Record<Fate, Plan> = {
  made: {},
  refused: { looks: [bflTask('Pending'), bflTask('Request Moderated')] },
  moderated: { looks: [bflTask('Pending'), bflTask('Content Moderated')] },
  failed: { looks: [bflTask('Pending'), bflTask('Error', { details: { error: 'no GPU' } })] },
};
