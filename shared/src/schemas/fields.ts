import Joi from 'joi';

/*
 * Building blocks of all schemas. Each says in its own words what it takes: that sentence is the
 * message of every problem with the field. `meta({ openapi })` adds what Joi's JSON Schema leaves out,
 * `meta({ component })` names a schema in the OpenAPI document, `meta({ extensible })` leaves its list of
 * values open there, and `meta({ discriminator })` names the field that tells alternatives apart.
 */

/** One of a few words. */
export function oneOf(values: readonly string[]): Joi.StringSchema {
  return says(Joi.string().valid(...values), `Must be one of: ${values.join(', ')}.`);
}

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number): Joi.NumberSchema {
  return says(
    Joi.number().integer().min(min).max(max),
    `Must be a whole number from ${grouped(min)} to ${grouped(max)}.`,
  );
}

/** A count, a number of credits, bytes or seconds of ours. */
export function amount(min = 0): Joi.NumberSchema {
  return says(Joi.number().integer().min(min), `Must be a whole number of at least ${min}.`);
}

/** JSON true or false. */
export function flag(): Joi.BooleanSchema {
  return says(Joi.boolean(), 'Must be true or false.');
}

/** Text that matches a pattern; `expectation` says in words what is taken. */
export function text(pattern: RegExp, expectation: string): Joi.StringSchema {
  return says(Joi.string().pattern(pattern), `Must be ${expectation}.`);
}

/** Text of ours: any, but not empty. */
export function words(): Joi.StringSchema {
  return says(Joi.string(), 'Must be text.');
}

/** A time as Framegate writes it: UTC, ISO 8601, milliseconds. */
export function time(): Joi.StringSchema {
  return text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a UTC time with milliseconds').meta({
    openapi: { format: 'date-time' },
  });
}

/** An address of ours. */
export function address(): Joi.StringSchema {
  return text(/^https?:\/\//, 'a URL').meta({ openapi: { format: 'uri' } });
}

/** A list, with at most `max` items where that is given. */
export function list(item: Joi.Schema, max?: number): Joi.ArraySchema {
  const items = Joi.array().items(item);
  if (max === undefined) return container(items, 'array.base', 'Must be a list.');
  const sentence = `Must be a list of at most ${max} items.`;
  return container(items.max(max), 'array.base', sentence).messages({ 'array.max': sentence });
}

/** An object with exactly these fields; TypeScript holds them to the wire type. */
export function object<T>(fields: Joi.SchemaMap<T, true>): Joi.ObjectSchema<T> {
  const names = Object.keys(fields).join(', ');
  const schema = container(Joi.object<T, true>(fields), 'object.base', 'Must be a JSON object.');
  return schema.messages({
    'object.unknown': `There is no such field; the fields here are: ${names}.`,
  });
}

/** An object from words to values. */
export function record(value: Joi.Schema): Joi.ObjectSchema {
  const schema = Joi.object().pattern(Joi.any(), value);
  return container(schema, 'object.base', 'Must be a JSON object.');
}

/** Gives every problem of a simple value the same sentence. */
export function says<S extends Joi.AnySchema>(schema: S, sentence: string): S {
  return schema.messages({
    '*': sentence,
    'any.required': `This field is required. ${sentence}`,
  });
}

/** Lists and objects hand their messages down to what they hold, so they name their own kinds only. */
function container<S extends Joi.AnySchema>(schema: S, wrongType: string, sentence: string): S {
  return schema.messages({ [wrongType]: sentence, 'any.required': 'This field is required.' });
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
