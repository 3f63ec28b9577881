import Joi from 'joi';
import { catalogue } from '../catalogue.ts';
import { seedRange, type ImageModel, type VideoModel } from '../model.ts';
import { says, text, wholeNumber } from './fields.ts';

/* The widest bounds that any model has; what one model takes is the gateway's request rules' matter. */

const maxPromptLength = Math.max(...catalogue.map((model) => model.maxPromptLength));
const videoModels = catalogue.filter((model): model is VideoModel => model.type === 'video');
const imageModels = catalogue.filter((model): model is ImageModel => model.type === 'image');

/** The most images of one generation, over all models. */
export const maxImageCount = Math.max(...imageModels.map((model) => model.n.max));

/** Whole seconds of a video, over all models. */
export const durationRange = {
  min: Math.min(...videoModels.map((model) => model.duration.min)),
  max: Math.max(...videoModels.map((model) => model.duration.max)),
};

/** The most inputs any model takes in one request. */
export const maxInputCount = Math.max(
  ...catalogue.map(
    ({ inputs }) => inputs.image.maxCount + inputs.video.maxCount + inputs.audio.maxCount,
  ),
);

/** Whether a model exists and is enabled is answered as 404, not here. */
export function modelId(): Joi.StringSchema {
  return says(Joi.string().min(1).max(64), 'Must be a model id of GET /models.').required();
}

/** The prompt: counted in code points after trimming; sent on trimmed. */
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

/** Any string: the gateway's input URL rules judge it, with a code of their own. */
export function inputUrl(): Joi.StringSchema {
  return says(Joi.string().allow(''), 'Must be a URL as text.')
    .required()
    .meta({ openapi: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: 2048 } });
}

export function seed(): Joi.NumberSchema {
  return wholeNumber(seedRange.min, seedRange.max);
}

/** The customer's own reference to the consent. */
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
