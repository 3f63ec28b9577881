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

/** Codes of a create request, as on the public API. */
const createCodes = [
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

const productTerms =
  'Priced, charged and refunded like a request to the public API, in the channel pc. Input hosts approved for any active key of the account are allowed.';

/** Operations on generations. */
export const generationOperations = {
  quote: {
    method: 'POST',
    path: '/accounts/{account_id}/quotes',
    tag: 'Generations',
    scope: 'generations:read',
    summary: 'Price a generation',
    description:
      'Applies the same rules as a create request without creating anything. No Idempotency-Key is required.',
    body: quoteSchema,
    isRead: true,
    status: 200,
    response: operatorQuoteSchema,
    refusals: ['account_not_found', 'model_not_found'],
  },
  createVideo: {
    method: 'POST',
    path: '/accounts/{account_id}/videos',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Create a video for a customer',
    description: `${productTerms} The body is the same as for POST /v1/videos.`,
    body: createVideoSchema,
    status: 202,
    response: operatorGenerationSchema,
    refusals: createCodes,
  },
  createImage: {
    method: 'POST',
    path: '/accounts/{account_id}/images',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Create images for a customer',
    description: `${productTerms} The body is the same as for POST /v1/images.`,
    body: createImageSchema,
    status: 202,
    response: operatorGenerationSchema,
    refusals: createCodes,
  },
  listGenerations: {
    method: 'GET',
    path: '/accounts/{account_id}/generations',
    tag: 'Generations',
    scope: 'generations:read',
    summary: 'List the generations of an account',
    description: 'Newest first, including generations from the public API and from your product.',
    query: generationQuery,
    showsPrompts: true,
    status: 200,
    response: generationPage,
    refusals: ['account_not_found', 'cursor_invalid'],
  },
  getGeneration: {
    method: 'GET',
    path: '/generations/{generation_id}',
    tag: 'Generations',
    scope: 'generations:read',
    summary: 'Read a generation',
    description: 'Reading is free of charge and calls no provider.',
    showsPrompts: true,
    status: 200,
    response: operatorGenerationSchema,
    refusals: ['generation_not_found'],
  },
  failGeneration: {
    method: 'POST',
    path: '/generations/{generation_id}/fail',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Fail a generation and refund it',
    description:
      'Possible only until the generation ends. To refund it afterwards, adjust the credits.',
    body: requiredReasonSchema,
    status: 200,
    response: operatorGenerationSchema,
    refusals: ['generation_not_found', 'generation_busy', 'generation_ended'],
  },
  takeDownGeneration: {
    method: 'POST',
    path: '/generations/{generation_id}/take-down',
    tag: 'Generations',
    scope: 'generations:write',
    summary: 'Take down the files of a generation',
    description:
      'Their URLs return 410 from now on, permanently. The record and the charge are kept. Repeat the call to delete files left behind by a crash.',
    body: requiredReasonSchema,
    status: 200,
    response: operatorGenerationSchema,
    refusals: ['generation_not_found', 'output_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
