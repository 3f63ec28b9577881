import { buildOpenApi } from '@framegate/contract/openapi';
import type { Target } from '../target.ts';

/** Examples for the fake API. */
const exampleNames = [
  ...['queued', 'queued_image', 'completed_video', 'completed_image', 'failed'],
  ...['models', 'balance', 'invalid_api_key', 'insufficient_credits', 'generation_not_found'],
];

/** Example responses of the OpenAPI document for the fake API in the n8n package's tests. */
export const n8nResponses: Target = {
  file: 'integrations/n8n/test/support/responses.json',
  content() {
    const { components } = buildOpenApi({ baseUrl: 'https://media.example.com/v1' });
    const examples = components.examples as Record<string, { value: object }>;
    return JSON.stringify(
      Object.fromEntries(exampleNames.map((name) => [name, examples[name]?.value])),
    );
  },
};
