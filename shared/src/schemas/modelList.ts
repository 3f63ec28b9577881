import Joi from 'joi';
import { imageFormats, videoModes } from '../choices.ts';
import { allExtras } from '../parameterReaders.ts';
import { amount, flag, list, number, object, oneOf, plainText, record, time } from './fields.ts';

const timedInputs = () =>
  object({
    max_count: amount().required(),
    max_bytes: amount(1).required().description('Per file.'),
    max_seconds: amount(1).required().description('In total for all files of this type.'),
  });

const textLimits = () => ({
  max_length: amount(1).required().description('Characters after trimming.'),
});
const numberLimits = () => ({ min: number().required(), max: number().required() });

const capabilities = object({
  modes: list(oneOf(videoModes)).required().description('Videos only; [] for images.'),
  duration_seconds: object({
    min: amount(1).required(),
    max: amount(1).required(),
    default: amount(1).required(),
  })
    .allow(null)
    .required()
    .description('Videos only; null for images.'),
  resolutions: list(plainText()).required(),
  aspect_ratios: list(plainText()).required(),
  generate_audio: flag().required(),
  real_person_modes: list(oneOf(videoModes))
    .required()
    .description('Modes that allow real_person_mode.'),
  max_prompt_length: amount(1).required().description('Characters after trimming.'),
  inputs: object({
    image: object({
      max_count: amount().required(),
      max_bytes: amount(1).required().description('Per file.'),
      max_pixels: amount(1).required().description('Width times height.'),
    }).required(),
    video: timedInputs().required(),
    audio: timedInputs().required(),
  }).required(),
  n: object({
    min: amount(1).required(),
    max: amount(1).required(),
  })
    .allow(null)
    .required()
    .description('Images only; null for videos.'),
  output_formats: list(oneOf(imageFormats)).required().description('Images only; [] for videos.'),
  ...Object.fromEntries(
    allExtras.map((row) => [
      row.capability,
      object(row.kind === 'text' ? textLimits() : numberLimits())
        .allow(null)
        .required()
        .description(`Limits of parameters.${row.name}; null if the model does not support it.`),
    ]),
  ),
}).meta({ component: 'Capabilities' });

const credits = () =>
  record(amount(1)).required().description('Credits per unit by resolution, without sound.');

const videoPricing = object({
  unit: oneOf(['credits']).required(),
  per: oneOf(['second']).required(),
  credits: credits(),
  audio: object({
    numerator: amount(1).required(),
    denominator: amount(1).required(),
  })
    .required()
    .description('With generate_audio, the total is multiplied by this fraction.'),
  rounding: oneOf(['up']).required().description('The result is rounded up to a whole number.'),
  examples: list(
    object({
      parameters: object({
        duration_seconds: amount(1).required(),
        resolution: plainText().required(),
        generate_audio: flag().required(),
      }).required(),
      cost_credits: amount(1).required(),
    }),
  ).required(),
}).meta({ component: 'VideoPricing' });

const imagePricing = object({
  unit: oneOf(['credits']).required(),
  per: oneOf(['image']).required(),
  credits: credits(),
  rounding: oneOf(['up']).required(),
  examples: list(
    object({
      parameters: object({
        n: amount(1).required(),
        resolution: plainText().required(),
      }).required(),
      cost_credits: amount(1).required(),
    }),
  ).required(),
}).meta({ component: 'ImagePricing' });

const pricing = () =>
  Joi.alternatives().try(videoPricing, imagePricing).meta({ discriminator: 'per' }).required();

const model = object({
  id: plainText().required(),
  object: oneOf(['model']).required(),
  type: oneOf(['video', 'image']).required(),
  display_name: plainText().required(),
  capabilities: capabilities.required(),
  pricing: pricing().description(
    'Cost of a video: credits[resolution] x duration_seconds, with sound x audio.numerator / audio.denominator, rounded up. Cost of images: credits[resolution] x n.',
  ),
  next_pricing: object({
    starts_at: time()
      .required()
      .description('Requests accepted from then on are charged the new price.'),
    pricing: pricing(),
  })
    .allow(null)
    .required()
    .description('An announced price change; null if there is none.'),
  typical_seconds: amount(1).required().description('Usual duration of a generation.'),
  max_seconds: amount(1)
    .required()
    .description('Seconds after which a generation fails and is refunded.'),
  deprecated_at: time().allow(null).required(),
  sunset_at: time().allow(null).required().description('When the model stops being available.'),
}).meta({ component: 'Model' });

/** Response of GET /models. */
export const modelListSchema = object({
  object: oneOf(['list']).required(),
  data: list(model).required(),
})
  .required()
  .meta({ component: 'ModelList' });
