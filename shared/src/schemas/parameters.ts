import Joi from 'joi';
import { type ByKind, byKind } from '../parameterReaders.ts';
import type { Parameter, ParameterTable } from '../parameterRows.ts';
import { amount, flag, number, object, oneOf, says, wholeNumber } from './fields.ts';
import { ownWords } from './requestFields.ts';

/** `parameters` of a request. Bounds cover all models; the gateway's rules check those of the chosen one. */
export function givenParameters(table: ParameterTable): Joi.ObjectSchema {
  return parameterSchemas(table, (row) => byKind(requestSchemas, row).description(row.help));
}

/** `parameters` of a record: all but texts, which are private like the prompt. */
export function effectiveParameters(table: ParameterTable): Joi.ObjectSchema {
  const echoed = Object.entries(table).filter(([, { kind }]) => kind !== 'text');
  return parameterSchemas(Object.fromEntries(echoed), (row) => {
    const value = byKind(recordSchemas, row);
    const isLeftOut = row.kind === 'fraction' && row.default === null;
    return row.since === null && !isLeftOut ? value.required() : value;
  });
}

function parameterSchemas(
  table: ParameterTable,
  schemaOf: (row: Parameter) => Joi.Schema,
): Joi.ObjectSchema {
  const fields = Object.entries(table).map(([name, row]) => [name, schemaOf(row)] as const);
  return object(Object.fromEntries(fields));
}

const requestSchemas: ByKind<[], Joi.Schema> = {
  integer: ({ range: { min, max } }) => wholeNumber(min, max),
  fraction: ({ range: { min, max, step } }) =>
    says(
      Joi.number().min(min).max(max).multiple(step),
      `Must be a number from ${min} to ${max} in steps of ${step}.`,
      // Validators divide in binary, where most decimal steps leave a remainder.
    ).meta({ openapi: { multipleOf: undefined } }),
  choice: ({ values }) => oneOf(values),
  flag,
  text: ({ maxLength, hasLines }) => ownWords(maxLength, hasLines),
};

const recordSchemas: ByKind<[], Joi.Schema> = {
  ...requestSchemas,
  integer: () => amount(1),
  fraction: number,
};
