import { exampleImageRequests, exampleVideoRequests } from './exampleRequests.ts';
import { idempotencyKey } from './headers.ts';
import { jsonResponse, refusals } from './responses.ts';

const promise =
  'Returns 202 immediately with the generation; poll its status_url until it is completed or failed. The cost is charged now and refunded if the generation fails.';

const acceptedResponse = (example: string) =>
  jsonResponse(
    'Accepted and charged. Poll after Retry-After seconds.',
    'Generation',
    [example],
    'Location',
    'RetryAfter',
    'IdempotentReplayed',
  );

/** Error codes of both create requests. */
const createRefusals = [
  'account_suspended',
  'invalid_json',
  'invalid_request',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'input_url_invalid',
  'insufficient_credits',
  'key_limit_reached',
  'input_host_not_approved',
  'model_not_found',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'content_policy_violation',
  'concurrency_limited',
  'model_unavailable',
  'clock_wrong',
] as const;

/** POST /videos. */
export const createVideoOperation = {
  operationId: 'createVideo',
  tags: ['Generations'],
  summary: 'Create a video',
  description: promise,
  parameters: [idempotencyKey],
  requestBody: requestBody('CreateVideo', exampleVideoRequests),
  responses: {
    '202': acceptedResponse('queued'),
    ...refusals(...createRefusals, 'consent_required', 'real_person_not_allowed'),
  },
};

/** POST /images. */
export const createImageOperation = {
  operationId: 'createImage',
  tags: ['Generations'],
  summary: 'Create images',
  description: promise,
  parameters: [idempotencyKey],
  requestBody: requestBody('CreateImage', exampleImageRequests),
  responses: { '202': acceptedResponse('queued_image'), ...refusals(...createRefusals) },
};

function requestBody(schema: string, examples: Record<string, { summary: string; value: object }>) {
  return {
    required: true,
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples },
    },
  };
}
