import { createImageSchema } from '../schemas/createImage.ts';
import { createVideoSchema } from '../schemas/createVideo.ts';
import type { AnyErrorCode } from './errorCodes.ts';
import {
  generationPage,
  generationQuery,
  operatorGenerationSchema,
  operatorQuoteSchema,
  quoteSchema,
  requiredReasonSchema,
} from './generationSchemas.ts';
import type { OperatorOperation } from './operation.ts';

/** Codes of a create, as on the public API. */
const ofCreates = [
  'account_not_found',
  'account_suspended',
  'input_url_invalid',
  'insufficient_credits',
  'input_host_not_approved',
  'model_not_found',
  'consent_required',
  'real_person_not_allowed',
  'content_policy_violation',
  'concurrency_limited',
  'model_unavailable',
] as const satisfies AnyErrorCode[];

const ofProduct =
  'The same use case, price, lots and refund as on the public API, in the channel pc. Input hosts are those of any working key of the account.';

/** Operations on generations. */
export const generationOperations = {
  quote: {
    method: 'POST',
    path: '/accounts/{account_id}/quotes',
    tag: 'Generations',
    scope: 'generations:read',
    summary: 'Price a generation',
    description: 'By the rules of a create, without making it. It needs no Idempotency-Key.',
    body: quoteSchema,
    isRead: true,
    status: 200,
    answer: operatorQuoteSchema,
    refusals: ['account_not_found', 'model_not_found'],
  },
  createVideo: {
    method: 'POST',
    path: '/accounts/{account_id}/videos',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Create a video for a customer',
    description: `${ofProduct} The body is that of POST /v1/videos.`,
    body: createVideoSchema,
    status: 202,
    answer: operatorGenerationSchema,
    refusals: ofCreates,
  },
  createImage: {
    method: 'POST',
    path: '/accounts/{account_id}/images',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Create images for a customer',
    description: `${ofProduct} The body is that of POST /v1/images.`,
    body: createImageSchema,
    status: 202,
    answer: operatorGenerationSchema,
    refusals: ofCreates,
  },
  listGenerations: {
    method: 'GET',
    path: '/accounts/{account_id}/generations',
    tag: 'Generations',
    scope: 'generations:read',
    summary: 'List the generations of an account',
    description:
      'Newest first, of the public API and of your product: the task list of a customer.',
    query: generationQuery,
    showsPrompts: true,
    status: 200,
    answer: generationPage,
    refusals: ['account_not_found', 'cursor_invalid'],
  },
  getGeneration: {
    method: 'GET',
    path: '/generations/{generation_id}',
    tag: 'Generations',
    scope: 'generations:read',
    summary: 'Read a generation',
    description: 'Reading never costs credits and calls no provider.',
    showsPrompts: true,
    status: 200,
    answer: operatorGenerationSchema,
    refusals: ['generation_not_found'],
  },
  failGeneration: {
    method: 'POST',
    path: '/generations/{generation_id}/fail',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Fail a generation and refund it',
    description: 'Only before its end: an end is final. For a refund after it, adjust the credits.',
    body: requiredReasonSchema,
    status: 200,
    answer: operatorGenerationSchema,
    refusals: ['generation_not_found', 'generation_busy', 'generation_ended'],
  },
  takeDownGeneration: {
    method: 'POST',
    path: '/generations/{generation_id}/take-down',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Take the files of a generation down',
    description:
      'Their addresses answer 410 at once, for good. The record and the charge stay. A repeat deletes files that a crash left behind.',
    body: requiredReasonSchema,
    status: 200,
    answer: operatorGenerationSchema,
    refusals: ['generation_not_found', 'output_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
