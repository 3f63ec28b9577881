import { responseHeaders } from './headers.ts';
import { jsonResponse, refusals, refusalsOf } from './responses.ts';

/** GET /generations/{id}. */
export const getGenerationOperation = {
  operationId: 'getGeneration',
  tags: ['Generations'],
  summary: 'Read a generation',
  description:
    'While it is queued or processing, wait retry_after_seconds (also in Retry-After) between reads. Reading never costs credits.',
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'The ID returned when the generation was created.',
      schema: { type: 'string', maxLength: 64 },
      example: 'gen_01kagw2m5t9x3q7r8v4c6e0hjn',
    },
  ],
  responses: {
    '200': jsonResponse(
      'The current generation.',
      'Generation',
      ['queued', 'processing', 'completed_video', 'completed_image', 'failed'],
      'RetryAfter',
    ),
    ...refusals('generation_not_found'),
  },
};

/** GET /models. */
export const listModelsOperation = {
  operationId: 'listModels',
  tags: ['Models'],
  summary: 'List the models your key can use',
  description: 'Lists the parameters and prices of each model that is enabled for the key.',
  responses: { '200': jsonResponse('The models.', 'ModelList', ['models']), ...refusals() },
};

/** GET /credits/balance. */
export const getCreditBalanceOperation = {
  operationId: 'getCreditBalance',
  tags: ['Credits'],
  summary: 'Read the credit balance',
  description: 'The balance belongs to the account and is shared with its website.',
  responses: { '200': jsonResponse('The balance.', 'CreditBalance', ['balance']), ...refusals() },
};

/** GET /openapi.json, the only operation without a key. */
export const getOpenApiOperation = {
  operationId: 'getOpenApi',
  tags: ['Description'],
  summary: 'Download this description',
  description: 'The OpenAPI document of this gateway. It needs no key and may be cached.',
  security: [],
  responses: {
    '200': {
      description: 'The OpenAPI document.',
      headers: responseHeaders('ETag'),
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    '304': {
      description: 'Unchanged since the version in If-None-Match.',
      headers: responseHeaders('ETag'),
    },
    ...refusalsOf(['rate_limited', 'internal_error', 'service_unavailable']),
  },
};
