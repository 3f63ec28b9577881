import { catalogue } from '../catalogue.ts';
import type { Model } from '../model.ts';
import { componentExamples, componentSchemas } from './components.ts';
import { createImageOperation, createVideoOperation } from './createOperations.ts';
import { headers } from './headers.ts';
import { infoOf } from './info.ts';
import {
  getCreditBalanceOperation,
  getGenerationOperation,
  getOpenApiOperation,
  listModelsOperation,
} from './readOperations.ts';

export { contractParts, contractSchemas } from './components.ts';
export { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';
/** The OpenAPI document of the public API. */
export type OpenApiDocument = ReturnType<typeof buildOpenApi>;

/**
 * Creates the OpenAPI 3.1 document from the Joi schemas and the error catalogue.
 * @param options.name Name of the product, for the title.
 * @param options.baseUrl Public URL of the API, ending in `/v1`, without a trailing slash.
 * @param options.models The operator's models, for examples with prices.
 * @param options.siteUrl URL of the site with the page `/docs`; by default derived from the API's URL.
 * @param options.supportUrl URL of support; by default the site.
 */
export function buildOpenApi(options: {
  name?: string;
  baseUrl: string;
  models?: readonly Model[];
  siteUrl?: string;
  supportUrl?: string | null;
}) {
  const { baseUrl, models = catalogue, siteUrl = baseUrl.slice(0, -'/v1'.length) } = options;
  return {
    openapi: '3.1.0',
    info: infoOf(options.name ?? 'Framegate', options.supportUrl ?? siteUrl),
    externalDocs: { url: `${siteUrl}/docs`, description: 'Guides, reference and samples' },
    servers: [{ url: baseUrl }],
    security: [{ ApiKey: [] }],
    tags: [
      { name: 'Generations', description: 'Create videos and images, and read their status.' },
      { name: 'Models', description: 'Available models and their prices.' },
      { name: 'Credits', description: 'The remaining credits.' },
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
