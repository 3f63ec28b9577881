import type Joi from 'joi';
import type { DetailCode } from '../detailCodes.ts';
import type { Problem } from '../wire.ts';

/** A checked body, or every problem that it has. */
export type Validated<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/** More values than any valid request has; beyond it a body is refused without checking each value. */
const maxValues = 1000;
/** Enough to see what is wrong; bounds the answer to a hostile body. */
const maxProblems = 100;
const maxParamLength = 200;

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
 * Holds a parsed JSON value against a schema of this folder. Nothing is coerced or filled in: the
 * value comes back as it was sent. All problems are reported at once, one for each field.
 */
export function validateBody<T>(schema: Joi.ObjectSchema<T>, value: unknown): Validated<T> {
  if (hasTooManyValues(value)) {
    const message = `The body holds more than ${maxValues} values; no lawful request does.`;
    return { ok: false, problems: [{ param: 'body', code: 'too_many', message }] };
  }
  const result = schema.validate(value, { convert: false, abortEarly: false });
  if (result.error === undefined) return { ok: true, value: result.value };
  return { ok: false, problems: problemsOf(result.error.details) };
}

function problemsOf(items: readonly Joi.ValidationErrorItem[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const item of items) {
    const problem = problemOf(item);
    // A wrong type is also "none of the allowed values": the type is the better news.
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
  return item.context?.value === null ? `${item.message} null is not taken.` : item.message;
}

/** The path as customers write it: `inputs[1].url`. */
function paramOf(path: readonly (string | number)[]): string {
  const param = path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? step : `${before}.${step}`;
  }, '');
  return param === '' ? 'body' : param.slice(0, maxParamLength);
}

/** Counts without recursion, so that a deeply nested body cannot exhaust the stack. */
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
