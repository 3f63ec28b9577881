import Joi from 'joi';
import { object, oneOf, plainText, says } from '../schemas/fields.ts';
import { generationFields } from '../schemas/generation.ts';
import { statuses } from '../states.ts';
import { accountId, page, pageFields, reason, utcTime } from './fields.ts';

const channels = ['api', 'pc'] as const;
const anyObject = () => says(Joi.object().unknown(), 'Must be a JSON object.');

/** Body that asks for the price of a generation. */
export const quoteSchema = object({
  model: says(Joi.string().max(64), 'Must be a model ID.').required(),
  parameters: anyObject().description(
    'Same as for a create request; defaults apply to missing values.',
  ),
})
  .required()
  .meta({ component: 'Quote' });

/** Body of a write that needs a reason. */
export const requiredReasonSchema = object({ reason: reason().required() })
  .required()
  .meta({ component: 'RequiredReason' });

/** Query of the task list of an account. */
export const generationQuery = object({
  status: oneOf(statuses),
  model: plainText().max(64),
  channel: oneOf(channels).description('api for the public API, pc for your product and the site.'),
  key_id: plainText().max(64).description('Created with this API key.'),
  from: utcTime().description('Created at this time or later.'),
  until: utcTime().description('Created before this time.'),
  ...pageFields,
}).required();

/** A generation as operators see it. */
export const operatorGenerationSchema = object({
  ...generationFields,
  account_id: accountId(),
  channel: oneOf(channels).required(),
  key_id: plainText().allow(null).required(),
  made_by: plainText()
    .allow(null)
    .required()
    .description(
      'The personal account of the person who created it on the site; null if created with a key or by you.',
    ),
  mode: plainText().allow(null).required().description('null for images.'),
  prompt: Joi.string().allow('').required().description('Empty once removed.'),
})
  .required()
  .meta({ component: 'AccountGeneration' });

/** The price of a generation, and whether the account can pay it. */
export const operatorQuoteSchema = object({
  object: oneOf(['quote']).required(),
  account_id: accountId(),
  model: plainText().required(),
  unit: oneOf(['credits']).required(),
  cost_credits: says(Joi.number().integer(), 'Must be a whole number.').required(),
  parameters: anyObject().required().description('The effective values, without a seed.'),
})
  .required()
  .meta({ component: 'QuoteResponse' });

/** One page of the generations of an account. */
export const generationPage = page(
  'GenerationList',
  operatorGenerationSchema,
  'Pages may be short or empty; continue until next is null.',
);
