import Joi from 'joi';
import { didYouMean, jsonPath } from '@framegate/contract';

/** An object with these fields; an error about another field names the nearest of them. */
export function fields<T = unknown>(map: Joi.SchemaMap): Joi.ObjectSchema<T> {
  const names = Object.keys(map);
  const explain = (errors: Joi.ErrorReport[]) => {
    for (const report of errors) {
      const local = report.local as Record<string, unknown>;
      if (report.code !== 'object.unknown' || 'meant' in local) continue;
      local['meant'] = didYouMean(String(local['child']), names);
    }
    // Joi accepts the reports themselves, which its types do not express.
    return errors as unknown as Joi.ValidationErrorItem;
  };
  return Joi.object<T>(map)
    .messages({ 'object.unknown': 'is not allowed{{#meant}}' })
    .error(explain);
}

/** A schema whose problems are sentences about the operator's file. */
export function withReadableMessages<S extends Joi.Schema>(schema: S): S {
  return schema.prefs({ errors: { label: false, wrap: { label: false } } }).messages({
    'string.pattern.name': 'must be {{#name}}',
    'alternatives.types': 'must be a list of whole seconds, or their min and max',
  }) as S;
}

/** One sentence for each problem, starting with its JSON path. @param at That of the value in its file. */
export function describeProblems(
  error: Joi.ValidationError | undefined,
  at: readonly (string | number)[] = [],
): string[] {
  return (error?.details ?? []).map(
    ({ path, message }) => `${jsonPath([...at, ...path])} ${message}.`,
  );
}

/** One of some words; the message lists them if it is missing. */
export const oneOf = (words: readonly string[]) =>
  Joi.string()
    .valid(...words)
    .required()
    .messages({ 'any.required': `is required, one of [${words.join(', ')}]` });
