import Joi from 'joi';
import { catalogue } from '../catalogue.ts';
import { says, text } from './fields.ts';

/* Bounds that cover all models; the gateway's request rules check those of the chosen model. */

const maxPromptLength = Math.max(...catalogue.map((model) => model.maxPromptLength));

/** Maximum number of inputs per request, over all models. */
export const maxInputCount = Math.max(
  ...catalogue.map(
    ({ inputs }) => inputs.image.maxCount + inputs.video.maxCount + inputs.audio.maxCount,
  ),
);

/** Any id; unknown or disabled models are answered with 404 later. */
export function modelId(): Joi.StringSchema {
  return says(Joi.string().min(1).max(64), 'Must be a model id of GET /models.').required();
}

/** The prompt, trimmed and counted in code points. */
export function prompt(): Joi.StringSchema {
  const length = `1 to ${maxPromptLength.toLocaleString('en-US')} characters`;
  const sentence = `Must be text of ${length}, not counting white space around it.`;
  return says(Joi.string().custom(checkPrompt).required(), sentence)
    .messages({
      'text.broken':
        'Must be valid Unicode text: it holds a NUL character or half of a surrogate pair.',
    })
    .meta({ openapi: { minLength: 1, maxLength: maxPromptLength, pattern: '\\S' } });
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

const checkPrompt: Joi.CustomValidator<string> = (value, helpers) => {
  if (!value.isWellFormed() || value.includes('\0')) return helpers.error('text.broken');
  const length = Array.from(value.trim()).length;
  if (length < 1) return helpers.error('text.short');
  return length > maxPromptLength ? helpers.error('text.long') : value;
};
