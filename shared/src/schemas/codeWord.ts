import type Joi from 'joi';
import { oneOf } from './fields.ts';

/**
 * A code in a response. The OpenAPI document leaves the list open, because later versions may add codes and
 * generated clients must not break.
 */
export function codeWord(values: readonly string[]): Joi.StringSchema {
  return oneOf(values)
    .description(`One of ${values.join(', ')}; more may be added.`)
    .meta({ extensible: true });
}
