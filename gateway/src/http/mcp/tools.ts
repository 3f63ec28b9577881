import type { Tool } from '@modelcontextprotocol/server';
import { refundRule } from '../../domain/credits/refund.ts';
import {
  contractField,
  contractSchema,
  type ContractSchemas,
  type ToolSchema,
  withFields,
} from './contractSchemas.ts';
import { estimateResponse, generationResponse, modelsResponse } from './responseSchemas.ts';

/** Longest wait of one `wait_for_generation` call, in seconds: many clients time out after 60. */
export const maxWaitSeconds = 45;

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** Marked as destructive because spent credits cannot be recovered: clients should ask for confirmation. */
const spends = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

/** Ends the description of tools that create. */
const costNote = `SPENDS CREDITS: the cost is charged now and refunded ${refundRule.inWords} if the generation fails. Returns immediately with the ID; then call wait_for_generation.`;

const nothing: ToolSchema = { type: 'object', properties: {}, additionalProperties: false };

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[!-~]+$',
  description:
    'A new value for each new generation, such as a UUID; the same value and arguments when you repeat a call whose response was lost. A repeated call returns the first generation and is not charged again.',
};

/** Instructions for the model on how to combine the tools. */
export const instructions = `Creates videos and images, which takes seconds to minutes and costs credits.
1. list_models lists the available models; estimate_cost returns the price of a request.
2. create_video or create_image charges the credits and immediately returns an ID. Pass an idempotency_key, and repeat the same call with the same key if a response is lost: you are never charged twice.
3. Call wait_for_generation with that ID repeatedly until status is completed or failed. Failed generations are refunded.
File links expire; get_generation returns new ones.`;

/**
 * Describes the tools. Their arguments follow the API's contract.
 * @param hasSession Whether a repeat can be recognised without a key; otherwise the key is required.
 */
export function describeTools(schemas: ContractSchemas, hasSession: boolean): Tool[] {
  const create = (name: string): ToolSchema => {
    const schema = withFields(contractSchema(schemas, name), { idempotency_key: idempotencyKey });
    const required = [...(schema.required ?? []), ...(hasSession ? [] : ['idempotency_key'])];
    return { ...schema, required };
  };
  const generationId = {
    type: 'string',
    description: 'ID of the generation, such as gen_01kagw2m5t9x3q7r8v4c6e0hjn.',
  };
  return [
    {
      name: 'list_models',
      title: 'List models',
      description: 'Lists the models you can use, with their inputs and prices.',
      inputSchema: nothing,
      outputSchema: modelsResponse,
      annotations: { ...reads, openWorldHint: false },
    },
    {
      name: 'estimate_cost',
      title: 'Estimate cost',
      description:
        'Returns the exact price of a generation with this model and these parameters. Nothing is created or charged.',
      inputSchema: {
        type: 'object',
        properties: {
          model: contractField(schemas, 'CreateVideo', 'model'),
          parameters: {
            anyOf: [
              contractField(schemas, 'CreateVideo', 'parameters'),
              contractField(schemas, 'CreateImage', 'parameters'),
            ],
            description: "The same as when creating; omitted parameters use the model's defaults.",
          },
        },
        required: ['model'],
        additionalProperties: false,
      },
      outputSchema: estimateResponse,
      annotations: { ...reads, openWorldHint: false },
    },
    {
      name: 'create_video',
      title: 'Create a video (spends credits)',
      description: `Creates a video. ${costNote}`,
      inputSchema: create('CreateVideo'),
      outputSchema: generationResponse,
      annotations: { ...spends, openWorldHint: true },
    },
    {
      name: 'create_image',
      title: 'Create images (spends credits)',
      description: `Creates one or more images. ${costNote}`,
      inputSchema: create('CreateImage'),
      outputSchema: generationResponse,
      annotations: { ...spends, openWorldHint: true },
    },
    {
      name: 'get_generation',
      title: 'Read a generation',
      description:
        'Reads a generation: its status and, once it is completed, links to its files; small images are included directly. Spends nothing.',
      inputSchema: {
        type: 'object',
        properties: { id: generationId },
        required: ['id'],
        additionalProperties: false,
      },
      outputSchema: generationResponse,
      annotations: { ...reads, openWorldHint: false },
    },
    {
      name: 'wait_for_generation',
      title: 'Wait for a generation',
      description: `Waits until a generation is completed or failed, for at most ${maxWaitSeconds} seconds per call, and returns its current status. While its status is still queued or processing, call this again. Spends nothing.`,
      inputSchema: {
        type: 'object',
        properties: {
          id: generationId,
          timeout_seconds: {
            type: 'integer',
            minimum: 1,
            maximum: maxWaitSeconds,
            description: `How long to wait at most. Default ${maxWaitSeconds}.`,
          },
        },
        required: ['id'],
        additionalProperties: false,
      },
      outputSchema: generationResponse,
      annotations: { ...reads, openWorldHint: false },
    },
    {
      name: 'get_balance',
      title: 'Read the balance',
      description: 'Returns the credits that can be spent now. Spends nothing.',
      inputSchema: nothing,
      outputSchema: contractSchema(schemas, 'CreditBalance'),
      annotations: { ...reads, openWorldHint: false },
    },
  ];
}
