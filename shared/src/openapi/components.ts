import type Joi from 'joi';
import { errorCodes, type ErrorCode } from '../errorCodes.ts';
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
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/**
 * Every named schema of the contract, from the Joi schemas that the gateway validates with. A generation
 * is one schema with every field here; the OpenAPI document tells its kinds apart.
 */
export function contractSchemas(): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {};
  const requests: Joi.Schema[] = [createVideoSchema, createImageSchema];
  const answers: Joi.Schema[] = [
    generationSchema,
    modelListSchema,
    creditBalanceSchema,
    errorSchema,
  ];
  for (const schema of requests) jsonSchemaOf(schema, 'closed', components);
  for (const schema of answers) jsonSchemaOf(schema, 'open', components);
  return sorted(components);
}

/** The schemas of the OpenAPI document. */
export function componentSchemas(): Record<string, JsonSchema> {
  return sorted(withGenerationVariants(contractSchemas()));
}

function sorted(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** No operation of the document answers these: they are for other paths and methods, and for MCP. */
const ofNoOperation: readonly ErrorCode[] = [
  'not_found',
  'method_not_allowed',
  'price_above_limit',
];

/** Every named example: answers, and one refusal for each error code of an operation. */
export function componentExamples(baseUrl: string, models: readonly Model[]) {
  const records: Record<string, object> = exampleRecords(baseUrl);
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => !ofNoOperation.includes(code),
  );
  const examples: [string, object][] = [
    ...Object.entries(records),
    ['models', exampleModelList(models)],
    ['balance', exampleBalance],
    ...codes.map((code): [string, object] => [code, exampleError(code)]),
  ];
  return Object.fromEntries(examples.map(([name, value]) => [name, { value }]));
}
