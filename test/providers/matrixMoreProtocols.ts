import { base64, bytes, file, ownTask, type Protocol, type Said } from './matrixProtocols.ts';

/* Protocols of further packages, from their sources and the providers' documents. */

const vertexDone = (rest: object): Said => [
  200,
  { name: `operations/${ownTask}`, done: true, ...rest },
];

/** Vertex AI: polls are POSTs, and the video is in the response to the last one. */
export const vertexVideos: Protocol = {
  path: /^\/v1\/publishers\/google\//,
  accepted: (id) => ({ name: `projects/p/locations/l/operations/${id}` }),
  refused: [400, { error: { code: 400, message: 'It violates our usage guidelines.' } }],
  pending: () => [200, { name: `operations/${ownTask}` }],
  ended: {
    made: vertexDone({
      response: { videos: [{ bytesBase64Encoded: base64, mimeType: 'video/mp4' }] },
    }),
    moderated: vertexDone({
      response: {
        raiMediaFilteredCount: 1,
        raiMediaFilteredReasons: [
          'Veo could not generate 1 videos based on the prompt provided. Support codes: 42237218',
        ],
      },
    }),
    failed: vertexDone({ error: { code: 13, message: 'Internal error.' } }),
  },
};

const bflTask = (status: string, rest: object = {}): Said => [
  200,
  { id: ownTask, status, result: null, ...rest },
];

/** FLUX 3 at Black Forest Labs, which judge the input only when the task is polled. */
export const flux3Videos: Protocol = {
  path: /^\/v1\/(flux-3-video|get_result)/,
  accepted: (id) => ({ id, polling_url: `https://api.bfl.ai/v1/get_result?id=${id}` }),
  pending: () => bflTask('Pending'),
  ended: {
    made: bflTask('Ready', { result: { sample: file } }),
    refused: bflTask('Request Moderated'),
    moderated: bflTask('Content Moderated'),
    failed: bflTask('Error', { details: { error: 'no GPU' } }),
  },
};

/** MiniMax's second version. */
const minimaxTask = (status: string, rest: object = {}): Said => [
  200,
  { task: { id: ownTask, status, ...rest } },
];
const minimaxError = (code: string, message: string) => ({ error: { code, message } });
export const minimaxVideos: Protocol = {
  path: /^\/v2\//,
  accepted: (id) => ({ task_id: id }),
  refused: [400, minimaxError('1026', 'input new_sensitive')],
  pending: () => minimaxTask('running'),
  ended: {
    made: minimaxTask('succeeded', {
      content: { url: file },
      usage: { total_seconds: 5, input_seconds: 0, output_seconds: 5 },
    }),
    moderated: minimaxTask('failed', minimaxError('1027', 'output new_sensitive')),
    failed: minimaxTask('failed', minimaxError('1000', 'unknown error')),
  },
};

/** Vercel's gateway passes on its own providers' messages; polls are POSTs. */
const gatewayError = (message: string): Said => [
  400,
  { error: { message, type: 'invalid_request_error' }, generationId: 'gen_1' },
];
export const gatewayVideos: Protocol = {
  path: /^\/v4\/ai\/video-model\//,
  accepted: (id) => ({ operation: { id } }),
  refused: gatewayError('The prompt violates our usage guidelines.'),
  pending: () => [200, { status: 'pending' }],
  ended: {
    made: [
      200,
      {
        status: 'completed',
        videos: [{ type: 'url', url: file, mediaType: 'video/mp4' }],
        providerMetadata: { gateway: { cost: '0.4' } },
      },
    ],
    moderated: [200, { status: 'error', error: 'Blocked by the content filter.' }],
    failed: [200, { status: 'error', error: 'No capacity.' }],
  },
};

const noPoll = (): Said => [500, {}];

/** The protocols of images. */
export const imageProtocols = {
  deepinfra: {
    path: /^\/v1\/inference\//,
    refused: [422, { detail: { error: 'The prompt was flagged as inappropriate' } }],
    pending: noPoll,
    ended: {
      made: [200, { images: [`data:image/png;base64,${base64}`], nsfw_content_detected: [false] }],
      moderated: [
        200,
        { images: [`data:image/png;base64,${base64}`], nsfw_content_detected: [true] },
      ],
      failed: [400, { detail: { error: 'inference failed' } }],
    },
  },
  /** Kontext: polls are POSTs to get_result. */
  fireworksQueue: {
    path: /^\/inference\/v1\/workflows\/.*kontext/,
    accepted: (id) => ({ request_id: id }),
    pending: () => bflTask('Pending'),
    ended: {
      made: bflTask('Ready', { result: { sample: file } }),
      refused: bflTask('Request Moderated'),
      moderated: bflTask('Content Moderated'),
      failed: bflTask('Error'),
    },
  },
  fireworks: {
    path: /^\/inference\/v1\/workflows\/.*text_to_image/,
    refused: [400, { error: { message: 'NSFW content detected', type: 'invalid_request' } }],
    pending: noPoll,
    ended: {
      made: [200, bytes],
      failed: [400, { error: { message: 'no worker', type: 'invalid_request' } }],
    },
  },
  gateway: {
    path: /^\/v4\/ai\/image-model$/,
    refused: gatewayError('Rejected by the content filter.'),
    pending: noPoll,
    ended: {
      made: [200, { images: [base64], providerMetadata: { gateway: { cost: '0.04' } } }],
      failed: gatewayError('All providers failed.'),
    },
  },
  luma: {
    path: /^\/dream-machine\//,
    accepted: (id) => ({ id, state: 'queued' }),
    refused: [400, { detail: 'Rejected: content moderation' }],
    pending: (id) => [200, { id, state: 'dreaming' }],
    ended: {
      made: [200, { id: ownTask, state: 'completed', assets: { image: file } }],
      moderated: [200, { id: ownTask, state: 'failed', failure_reason: 'NSFW content detected' }],
      failed: [200, { id: ownTask, state: 'failed', failure_reason: 'no GPU' }],
    },
  },
  togetherai: {
    path: /^\/v1\/images\/generations$/,
    refused: [422, { error: { message: 'NSFW content detected', type: 'nsfw_content' } }],
    pending: noPoll,
    ended: {
      made: [200, { data: [{ b64_json: base64 }] }],
      failed: [400, { error: { message: 'no worker', type: 'invalid_request_error' } }],
    },
  },
} satisfies Record<string, Protocol>;
