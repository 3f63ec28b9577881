import { allExtras, statuses } from '@framegate/contract';
import type { ToolSchema } from './contractSchemas.ts';

/*
 * Output schemas of the tools, limited to the fields that an agent uses. Clients pass these schemas to the
 * model at every startup, and the full ones of the contract take some 19,000 tokens. Responses have all fields
 * of the API.
 */

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const object = { type: 'object' };
const texts = { type: 'array', items: text };

/** Response of the tools that create and read generations. */
export const generationResponse: ToolSchema = {
  type: 'object',
  properties: {
    id: text,
    type: { enum: ['video', 'image'] },
    status: { enum: [...statuses], description: 'completed and failed are final.' },
    output: {
      type: 'object',
      description: 'Only when completed.',
      properties: { urls: texts, expires_at: text },
      required: ['urls', 'expires_at'],
    },
    error: {
      type: 'object',
      description: 'Only when failed. retryable: a new request may succeed.',
      properties: { code: text, message: text, retryable: { type: 'boolean' } },
      required: ['code', 'message', 'retryable'],
    },
    billing: {
      type: 'object',
      properties: {
        cost_credits: count,
        status: { enum: ['charged', 'refunded'] },
        refunded_credits: count,
      },
      required: ['cost_credits', 'status'],
    },
  },
  required: ['id', 'type', 'status', 'billing'],
};

const range = { type: ['object', 'null'], description: 'min and max; null for the other type.' };

const extras = {
  fraction: { type: ['object', 'null'], description: 'min and max; null if not supported.' },
  text: { type: ['object', 'null'], description: 'max_length; null if not supported.' },
};

/** Response of `list_models`. */
export const modelsResponse: ToolSchema = {
  type: 'object',
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          type: { enum: ['video', 'image'] },
          capabilities: {
            type: 'object',
            properties: {
              modes: texts,
              duration_seconds: range,
              n: range,
              resolutions: texts,
              aspect_ratios: texts,
              generate_audio: { type: 'boolean' },
              max_prompt_length: count,
              ...Object.fromEntries(allExtras.map((row) => [row.capability, extras[row.kind]])),
              inputs: { ...object, description: 'Maximum number and size of each type.' },
            },
          },
          pricing: {
            ...object,
            description: 'Credits by resolution, per second or image; with examples.',
          },
          typical_seconds: { ...count, description: 'Usual duration of a generation.' },
        },
        required: ['id', 'type', 'capabilities', 'pricing', 'typical_seconds'],
      },
    },
  },
  required: ['data'],
};

/** Response of `estimate_cost`. */
export const estimateResponse: ToolSchema = {
  type: 'object',
  properties: {
    model: text,
    unit: text,
    cost_credits: count,
    parameters: { ...object, description: 'The values on which the price is based.' },
  },
  required: ['model', 'unit', 'cost_credits', 'parameters'],
};
