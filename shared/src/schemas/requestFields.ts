import Joi from 'joi';
import { catalogue } from '../catalogue.ts';
import { says, text } from './fields.ts';

/* Bounds that cover all models; the gateway's request rules check those of the chosen model. */

const maxPromptLength = Math.max(...catalogue.map((model) => model.maxPromptLength));

/** Maximum number of inputs per request, across all models. */
export const maxInputCount = Math.max(
  ...catalogue.map(
    ({ inputs }) => inputs.image.maxCount + inputs.video.maxCount + inputs.audio.maxCount,
  ),
);

/** Any id; unknown or disabled models are answered with 404 later. */
export function modelId(): Joi.StringSchema {
  return says(Joi.string().min(1).max(64), 'Must be a model ID from GET /models.').required();
}

/** The prompt. */
export function prompt(): Joi.StringSchema {
  return ownWords(maxPromptLength, true).required();
}

/** Words of the customer, counted in code points after trimming. @param hasLines Whether line breaks may appear. */
export function ownWords(maxLength: number, hasLines: boolean): Joi.StringSchema {
  const length = `1 to ${maxLength.toLocaleString('en-US')} characters`;
  const inOneLine = hasLines ? '' : ' on one line';
  const sentence = `Must be text of ${length}${inOneLine}, not counting surrounding white space.`;
  const check: Joi.CustomValidator<string> = (value, helpers) => {
    if (!value.isWellFormed() || value.includes('\0')) return helpers.error('text.broken');
    const trimmed = value.trim();
    if (!hasLines && /[\r\n]/.test(trimmed)) return helpers.error('text.lines');
    const count = Array.from(trimmed).length;
    if (count < 1) return helpers.error('text.short');
    return count > maxLength ? helpers.error('text.long') : value;
  };
  return says(Joi.string().custom(check), sentence)
    .messages({
      'text.broken':
        'Must be valid Unicode text: it contains a NUL character or half of a surrogate pair.',
    })
    .meta({ openapi: { minLength: 1, maxLength, pattern: '\\S' } });
}

/** Any string; the gateway's input URL rules validate it with their own error code. */
export function inputUrl(): Joi.StringSchema {
  return says(Joi.string().allow(''), 'Must be a URL as text.')
    .required()
    .meta({ openapi: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: 2048 } });
}

/** Customer's reference to the consent. */
export function consentReference(): Joi.StringSchema {
  return text(
    /^[A-Za-z0-9._:/-]{1,128}$/,
    'a reference of 1 to 128 letters, digits and . _ : / - characters',
  );
}
