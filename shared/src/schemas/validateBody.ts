import type Joi from 'joi';
import type { DetailCode, Problem } from '../detailCodes.ts';

/** A valid body, or all of its problems. */
export type ValidationResult<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/** Maximum values in a body, more than any valid request has; larger ones are refused unchecked. */
const maxValues = 1000;
/** Maximum reported problems, which limits the response to a hostile body. */
const maxProblems = 100;
const maxParamCharacters = 200;

const codes: Readonly<Record<string, DetailCode>> = {
  'any.required': 'required',
  'object.unknown': 'unknown_field',
  'object.base': 'invalid_type',
  'array.base': 'invalid_type',
  'string.base': 'invalid_type',
  'boolean.base': 'invalid_type',
  'number.base': 'invalid_type',
  'number.integer': 'invalid_type',
  'number.infinity': 'out_of_range',
  'number.unsafe': 'out_of_range',
  'number.min': 'out_of_range',
  'number.max': 'out_of_range',
  'array.max': 'too_many',
  'string.empty': 'too_short',
  'string.max': 'too_long',
  'text.short': 'too_short',
  'text.long': 'too_long',
};

/**
 * Validates a parsed JSON value against a schema of this folder, without conversions or defaults. Reports all
 * problems, one per field.
 */
export function validateBody<T>(schema: Joi.ObjectSchema<T>, value: unknown): ValidationResult<T> {
  return validate(schema, value, false);
}

/** Validates the names and texts of a query in the same way; numbers are parsed from text. */
export function validateQuery<T>(
  schema: Joi.ObjectSchema<T>,
  query: Readonly<Record<string, string>>,
): ValidationResult<T> {
  return validate(schema, query, true);
}

function validate<T>(
  schema: Joi.ObjectSchema<T>,
  value: unknown,
  convert: boolean,
): ValidationResult<T> {
  if (hasTooManyValues(value)) {
    const message = `The body contains more than ${maxValues} values; no valid request has that many.`;
    return { ok: false, problems: [{ param: 'body', code: 'too_many', message }] };
  }
  const result = schema.validate(value, { convert, abortEarly: false });
  if (result.error === undefined) return { ok: true, value: result.value };
  return { ok: false, problems: mergeProblems(result.error.details) };
}

function mergeProblems(items: readonly Joi.ValidationErrorItem[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const item of items) {
    const problem = problemOf(item);
    // A value of the wrong type is also not an allowed value; the type is the more useful problem.
    if (!problems.has(problem.param) || problem.code === 'invalid_type') {
      problems.set(problem.param, problem);
    }
  }
  return [...problems.values()].slice(0, maxProblems);
}

function problemOf(item: Joi.ValidationErrorItem): Problem {
  const code = codes[item.type] ?? 'invalid_value';
  return { param: paramOf(item.path), code, message: messageOf(item) };
}

function messageOf(item: Joi.ValidationErrorItem): string {
  return item.context?.value === null ? `${item.message} null is not accepted.` : item.message;
}

/** Path in the notation of the API: `inputs[1].url`. */
function paramOf(path: readonly (string | number)[]): string {
  const param = path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? step : `${before}.${step}`;
  }, '');
  return param === '' ? 'body' : param.slice(0, maxParamCharacters);
}

/** Counts iteratively, because a deeply nested body could exhaust the stack. */
function hasTooManyValues(value: unknown): boolean {
  const waiting: unknown[] = [value];
  for (let seen = 1; waiting.length > 0; seen += 1) {
    const next = waiting.pop();
    const children: unknown[] =
      typeof next === 'object' && next !== null ? Object.values(next) : [];
    if (seen + waiting.length + children.length > maxValues) return true;
    waiting.push(...children);
  }
  return false;
}
