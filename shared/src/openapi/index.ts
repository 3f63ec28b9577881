import { catalogue } from '../catalogue.ts';
import type { Model } from '../model.ts';
import { componentExamples, componentSchemas } from './components.ts';
import { createImageOperation, createVideoOperation } from './createOperations.ts';
import { headers } from './headers.ts';
import { info } from './info.ts';
import {
  getCreditBalanceOperation,
  getGenerationOperation,
  getOpenApiOperation,
  listModelsOperation,
} from './readOperations.ts';

export type { JsonSchema } from './jsonSchema.ts';
export type OpenApiDocument = ReturnType<typeof buildOpenApi>;

/**
 * The OpenAPI 3.1 document of the API: schemas from the Joi schemas, errors from the catalogue.
 * @param options.baseUrl The public address of the API, ending in `/v1`, without a trailing slash.
 * @param options.models The operator's models, for the examples with prices.
 */
export function buildOpenApi(options: { baseUrl: string; models?: readonly Model[] }) {
  const { baseUrl, models = catalogue } = options;
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: baseUrl }],
    security: [{ ApiKey: [] }],
    tags: [
      { name: 'Generations', description: 'Create videos and images, and read them.' },
      { name: 'Models', description: 'What can be made, and what it costs.' },
      { name: 'Credits', description: 'What is left to spend.' },
      { name: 'Description', description: 'This document.' },
    ],
    paths: {
      '/videos': { post: createVideoOperation },
      '/images': { post: createImageOperation },
      '/generations/{id}': { get: getGenerationOperation },
      '/models': { get: listModelsOperation },
      '/credits/balance': { get: getCreditBalanceOperation },
      '/openapi.json': { get: getOpenApiOperation },
    },
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A live API key (fg_live_…) from your account settings. Keep it on your server, never in a browser.',
        },
      },
      schemas: componentSchemas(),
      headers,
      examples: componentExamples(baseUrl, models),
    },
  } as const;
}
