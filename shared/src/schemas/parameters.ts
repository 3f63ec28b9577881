import type Joi from 'joi';
import { catalogue } from '../catalogue.ts';
import type { Parameter, ParameterTable } from '../parameters.ts';
import { capabilitiesOf } from '../presentModel.ts';
import { amount, flag, object, oneOf, wholeNumber } from './fields.ts';

/** `parameters` of a request. Bounds cover all models; the gateway's rules check those of the chosen one. */
export function givenParameters(table: ParameterTable): Joi.ObjectSchema {
  return fieldsOf(table, (row) => givenValue(row).description(row.help));
}

/** `parameters` of a record. */
export function effectiveParameters(table: ParameterTable): Joi.ObjectSchema {
  return fieldsOf(table, (row) => {
    const value = row.kind === 'integer' ? amount(1) : givenValue(row);
    return row.since === null ? value.required() : value;
  });
}

function fieldsOf(
  table: ParameterTable,
  schemaOf: (row: Parameter) => Joi.Schema,
): Joi.ObjectSchema {
  const fields = Object.entries(table).map(([name, row]) => [name, schemaOf(row)] as const);
  return object(Object.fromEntries(fields));
}

function givenValue(row: Parameter): Joi.Schema {
  if (row.kind === 'flag') return flag();
  if (row.kind === 'choice') return oneOf(row.values);
  const { min, max } = row.range ?? widestRange(row);
  return wholeNumber(min, max);
}

function widestRange({ capability }: Parameter): { min: number; max: number } {
  const ranges = catalogue.flatMap((model) => {
    const range = capability === null ? null : capabilitiesOf(model)[capability];
    return typeof range === 'object' && range !== null && 'min' in range ? [range] : [];
  });
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
}
