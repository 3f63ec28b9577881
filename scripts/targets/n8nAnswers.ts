import { buildOpenApi } from '@framegate/contract/openapi';
import type { Target } from '../target.ts';

/** The examples that the stand-in answers with. */
const told = [
  ...['queued', 'queued_image', 'completed_video', 'completed_image', 'failed'],
  ...['models', 'balance', 'invalid_api_key', 'insufficient_credits', 'generation_not_found'],
];

/** Answers of the OpenAPI document, for the stand-in of the API in the n8n package's own tests. */
export const n8nAnswers: Target = {
  file: 'integrations/n8n/test/support/answers.json',
  content() {
    const { components } = buildOpenApi({ baseUrl: 'https://media.example.com/v1' });
    const examples = components.examples as Record<string, { value: object }>;
    return JSON.stringify(Object.fromEntries(told.map((name) => [name, examples[name]?.value])));
  },
};
