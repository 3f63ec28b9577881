import type Joi from 'joi';
import { type ErrorCode, errorCodes } from '../errorCodes.ts';
import type { Model } from '../model.ts';
import {
  createImageSchema,
  createVideoSchema,
  creditBalanceSchema,
  errorSchema,
  generationSchema,
  modelListSchema,
} from '../schemas/index.ts';
import { exampleError } from './exampleErrors.ts';
import { exampleBalance, exampleModelList, exampleRecords } from './exampleRecords.ts';
import { withGenerationVariants } from './generationVariants.ts';
import { type JsonSchema, jsonSchemaOf } from './jsonSchema.ts';

let contract: Readonly<Record<string, JsonSchema>> | undefined;

/** Schemas of the bodies and of the responses. */
export const contractParts: { readonly requests: Joi.Schema[]; readonly responses: Joi.Schema[] } =
  {
    requests: [createVideoSchema, createImageSchema],
    responses: [generationSchema, modelListSchema, creditBalanceSchema, errorSchema],
  };

/**
 * Named schemas of the contract, from the gateway's Joi schemas. Generation is one schema with all fields here;
 * the OpenAPI document splits it into variants. They are made once (about 0.1 s) and shared by all who ask.
 */
export function contractSchemas(): Readonly<Record<string, JsonSchema>> {
  return (contract ??= makeContractSchemas());
}

function makeContractSchemas(): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {};
  for (const schema of contractParts.requests) jsonSchemaOf(schema, 'closed', components);
  for (const schema of contractParts.responses) jsonSchemaOf(schema, 'open', components);
  return sortSchemas(components);
}

/** Schemas of the OpenAPI document. */
export function componentSchemas(): Record<string, JsonSchema> {
  return sortSchemas(withGenerationVariants(contractSchemas()));
}

function sortSchemas(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Codes for other paths and methods and for MCP, which have no operation in the document. */
const codesOutsideOperations: readonly ErrorCode[] = [
  'not_found',
  'method_not_allowed',
  'price_above_limit',
];

/** Named examples: responses, and one error for each code of an operation. */
export function componentExamples(baseUrl: string, models: readonly Model[]) {
  const records: Record<string, object> = exampleRecords(baseUrl);
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => !codesOutsideOperations.includes(code),
  );
  const examples: [string, object][] = [
    ...Object.entries(records),
    ['models', exampleModelList(models)],
    ['balance', exampleBalance],
    ...codes.map((code): [string, object] => [code, exampleError(code)]),
  ];
  return Object.fromEntries(examples.map(([name, value]) => [name, { value }]));
}
