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
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/** Every named schema of the contract, from the Joi schemas that the gateway validates with. */
export function componentSchemas(): Record<string, JsonSchema> {
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
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every named example: answers, and one refusal for each error code. */
export function componentExamples(baseUrl: string, models: readonly Model[]) {
  const records: Record<string, object> = exampleRecords(baseUrl);
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const examples: [string, object][] = [
    ...Object.entries(records),
    ['models', exampleModelList(models)],
    ['balance', exampleBalance],
    ...codes.map((code): [string, object] => [code, exampleError(code)]),
  ];
  return Object.fromEntries(examples.map(([name, value]) => [name, { value }]));
}
