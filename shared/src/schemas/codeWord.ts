import type Joi from 'joi';
import { oneOf } from './fields.ts';

/**
 * A code of ours in an answer. We send the listed ones; the OpenAPI document does not close the list,
 * since a version may add codes and a generated client must not break.
 */
export function codeWord(values: readonly string[]): Joi.StringSchema {
  return oneOf(values)
    .description(`One of ${values.join(', ')}; more may be added.`)
    .meta({ extensible: true });
}
