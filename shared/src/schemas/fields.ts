import Joi from 'joi';

/*
 * Building blocks of all schemas. Each has one message for all problems of its field. `meta({ openapi })` adds
 * keywords that Joi's JSON Schema lacks, `meta({ component })` names a schema in the OpenAPI document,
 * `meta({ extensible })` leaves its list of values open there, and `meta({ discriminator })` names the field that
 * distinguishes alternatives.
 */

/** One of several words. */
export function oneOf(values: readonly string[]): Joi.StringSchema {
  return says(Joi.string().valid(...values), `Must be one of: ${values.join(', ')}.`);
}

/**
 * A code in a response. The OpenAPI document leaves the list open, because later versions may add codes and
 * generated clients must not break.
 */
export function codeWord(values: readonly string[]): Joi.StringSchema {
  return oneOf(values)
    .description(`One of ${values.join(', ')}; more may be added.`)
    .meta({ extensible: true });
}

/** A whole number within inclusive bounds. */
export function wholeNumber(min: number, max: number): Joi.NumberSchema {
  return says(
    Joi.number().integer().min(min).max(max),
    `Must be a whole number from ${formatNumber(min)} to ${formatNumber(max)}.`,
  );
}

/** A non-negative number in a response: count, credits, bytes or seconds. */
export function amount(min = 0): Joi.NumberSchema {
  return says(Joi.number().integer().min(min), `Must be a whole number of at least ${min}.`);
}

/** Any number. */
export function number(): Joi.NumberSchema {
  return says(Joi.number(), 'Must be a number.');
}

/** JSON true or false. */
export function flag(): Joi.BooleanSchema {
  return says(Joi.boolean(), 'Must be true or false.');
}

/** Text that matches a pattern; `expectation` describes valid values. */
export function text(pattern: RegExp, expectation: string): Joi.StringSchema {
  return says(Joi.string().pattern(pattern), `Must be ${expectation}.`);
}

/** Non-empty text in a response. */
export function plainText(): Joi.StringSchema {
  return says(Joi.string(), 'Must be text.');
}

/** A time in a response: UTC, ISO 8601, milliseconds. */
export function time(): Joi.StringSchema {
  return text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a UTC time with milliseconds').meta({
    openapi: { format: 'date-time' },
  });
}

/** A URL in a response. */
export function url(): Joi.StringSchema {
  return text(/^https?:\/\//, 'a URL').meta({ openapi: { format: 'uri' } });
}

/** A list, optionally limited to `max` items. */
export function list(item: Joi.Schema, max?: number): Joi.ArraySchema {
  const items = Joi.array().items(item);
  if (max === undefined) return container(items, 'array.base', 'Must be a list.');
  const sentence = `Must be a list of at most ${max} items.`;
  return container(items.max(max), 'array.base', sentence).messages({ 'array.max': sentence });
}

/** Schemas of the fields of an object. */
export type Fields = Readonly<Record<string, Joi.Schema>>;

/** An object with exactly these fields. `T` is the type that is generated from the schema, if a validation needs it. */
export function object<T = object>(fields: Fields): Joi.ObjectSchema<T> {
  const names = Object.keys(fields).join(', ');
  const schema = container(
    Joi.object<T, false, Fields>(fields),
    'object.base',
    'Must be a JSON object.',
  );
  return schema.messages({
    'object.unknown': `Unknown field; the allowed fields are: ${names}.`,
  });
}

/** An object with arbitrary names. */
export function record(value: Joi.Schema): Joi.ObjectSchema {
  const schema = Joi.object().pattern(Joi.any(), value);
  return container(schema, 'object.base', 'Must be a JSON object.');
}

/** Uses the same message for every problem of a simple value. */
export function says<S extends Joi.AnySchema>(schema: S, sentence: string): S {
  return schema.messages({
    '*': sentence,
    'any.required': `This field is required. ${sentence}`,
  });
}

/** Messages of lists and objects. Joi passes them on to members, so they cover only the containers' own problems. */
function container<S extends Joi.AnySchema>(schema: S, wrongType: string, sentence: string): S {
  return schema.messages({ [wrongType]: sentence, 'any.required': 'This field is required.' });
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}
