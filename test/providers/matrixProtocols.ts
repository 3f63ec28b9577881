import { type Plan, task as bflTask } from '../../gateway/providers/test/fakeBfl.ts';

/** Outcome of an order; the prompt names it. */
export const fates = ['made', 'refused', 'moderated', 'failed'] as const;
export type Fate = (typeof fates)[number];

/** Placeholders for the resulting file: its URL, its bytes in base64, and a response with its bytes. */
export const file = 'https://files.example/the-file';
export const base64 = '<the file in base64>';
export const bytes = '<the file>';
const inappropriate = (side: string) => `${side} data may contain inappropriate content.`;

/** Status and JSON body, or the bytes of the file. */
export type Said = [number, object | typeof bytes];

/** A provider's protocol by its documents: the responses to a submission and to polls. */
export interface Protocol {
  /** Pattern of the paths of its requests. */
  path: RegExp;
  /** Absent if the one request is the whole work. */
  accepted?(id: string): object;
  /** The response to a submit; absent where a refusal comes with a poll as well. */
  refused?: Said;
  pending(id: string): Said;
  ended: Partial<Record<Fate, Said>>;
  /** Pattern of the paths at which the API itself serves files, to requests with the key. */
  files?: RegExp;
}

/** Placeholder for the id of the polled task. */
export const ownTask = '{task}';

const typed = (type: string): object => ({ detail: [{ loc: ['body'], msg: 'no', type }] });
const prediction = (id: string, rest: object): object => ({
  id,
  urls: { get: `https://api.replicate.com/v1/predictions/${id}` },
  ...rest,
});
const operation = (rest: object): object => ({
  name: `models/veo/operations/${ownTask}`,
  done: true,
  ...rest,
});
const task = (task_status: string, rest: object = {}): object => ({
  request_id: 'r',
  output: { task_id: ownTask, task_status, ...rest },
});

/** The protocols of the video providers. */
export const protocols = {
  fal: {
    path: /^\/(fal-ai|bytedance)\//,
    accepted: (id) => ({
      request_id: id,
      response_url: `https://queue.fal.run/fal-ai/x/requests/${id}`,
    }),
    refused: [422, typed('content_policy_violation')],
    // Reported with a status of failure.
    pending: () => [400, { detail: 'Request is still in progress' }],
    ended: {
      made: [200, { video: { url: file }, seed: 1 }],
      // Five black seconds, and the reason next to them.
      moderated: [200, { video: { url: file }, seed: 1, has_nsfw_concepts: [true] }],
      failed: [500, typed('internal_server_error')],
    },
  },
  google: {
    path: /^\/v1beta\//,
    accepted: (id) => ({ name: `models/veo/operations/${id}` }),
    refused: [400, { error: { code: 400, message: 'It violates our usage guidelines.' } }],
    pending: () => [200, { name: `models/veo/operations/${ownTask}`, done: false }],
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
    pending: (id) => [200, prediction(id, { status: 'processing' })],
    ended: {
      made: [
        200,
        prediction(ownTask, { status: 'succeeded', output: file, metrics: { predict_time: 41.5 } }),
      ],
      moderated: [
        200,
        prediction(ownTask, { status: 'failed', error: 'flagged as sensitive (E005)' }),
      ],
      failed: [200, prediction(ownTask, { status: 'failed', error: 'CUDA out of memory' })],
    },
  },
  alibaba: {
    path: /^\/api\/v1\/(services|tasks)\//,
    accepted: (task_id) => ({
      request_id: 'r',
      output: { task_id, task_status: 'PENDING' },
    }),
    refused: [
      400,
      { code: 'DataInspectionFailed', message: inappropriate('Input'), request_id: 'r' },
    ],
    pending: () => [200, task('RUNNING')],
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
    pending: () => [200, { status: 'pending' }],
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
    pending: (id) => [200, { id, status: 'running' }],
    ended: {
      made: [
        200,
        {
          id: ownTask,
          status: 'succeeded',
          content: { video_url: file },
          usage: { completion_tokens: 108_900, total_tokens: 108_900 },
        },
      ],
      moderated: [
        200,
        {
          id: ownTask,
          status: 'failed',
          error: { code: 'OutputVideoSensitiveContentDetected', message: 'no' },
        },
      ],
      failed: [
        200,
        { id: ownTask, status: 'failed', error: { code: 'InternalServiceError', message: 'no' } },
      ],
    },
  },
} satisfies Record<string, Protocol>;

/** OpenAI's images: one request is the whole work. */
export const openaiImages: Protocol = {
  path: /^\/v1\/images\//,
  refused: openAiError('moderation_blocked', 'Rejected by the safety system.'),
  pending: () => [500, {}],
  ended: {
    made: [200, { created: 1, data: [{ b64_json: base64 }] }],
    failed: openAiError('image_generation_user_error', 'Image generation failed.'),
  },
};

function openAiError(code: string, message: string): Said {
  return [400, { error: { message, code } }];
}

/** Black Forest Labs moderate the input as well, only when the task is polled. */
export const bflPlans: Record<Fate, Plan> = {
  made: {},
  refused: { polls: [bflTask('Pending'), bflTask('Request Moderated')] },
  moderated: { polls: [bflTask('Pending'), bflTask('Content Moderated')] },
  failed: { polls: [bflTask('Pending'), bflTask('Error', { details: { error: 'no GPU' } })] },
};
