import Joi from 'joi';
import {
  flag,
  list,
  object,
  oneOf,
  plainText,
  says,
  time,
  wholeNumber,
} from '../schemas/fields.ts';
import { accountId, page, reason } from './fields.ts';
import { maxGrantCredits } from './limits.ts';

const host = () =>
  says(Joi.string().max(260), 'Must be a host name or *.suffix.').description(
    'A host name, or *.suffix for all of its subdomains.',
  );

/** Body that creates an API key. */
export const createKeySchema = object({
  name: says(Joi.string().max(64), 'Must be text of 1 to 64 characters.').required(),
  models: list(plainText(), 50).description('Models that the key may use; all if absent or empty.'),
  hosts: list(host(), 100).description('Input hosts, approved immediately.'),
  daily_credits: wholeNumber(1, maxGrantCredits).description(
    'Credits that the key may spend per day (UTC); no limit if absent.',
  ),
  monthly_credits: wholeNumber(1, maxGrantCredits).description(
    'Credits that the key may spend per calendar month (UTC); no limit if absent.',
  ),
})
  .required()
  .meta({ component: 'CreateKey' });

/** Body that replaces an API key. */
export const rotateKeySchema = object({
  overlap_seconds: wholeNumber(0, 30 * 86_400).description(
    'How long the previous key keeps working. Defaults to one day (86,400).',
  ),
  reason: reason(),
})
  .required()
  .meta({ component: 'RotateKey' });

/** Body that approves an input host. */
export const approveHostSchema = object({
  host: host().required(),
  reason: reason(),
})
  .required()
  .meta({ component: 'ApproveHost' });

const keyHost = object({
  host: plainText().required(),
  state: oneOf(['requested', 'approved', 'refused']).required(),
}).meta({ component: 'KeyHost' });

/** An API key, without its secret unless it was just created. */
export const apiKeySchema = object({
  id: plainText().required(),
  object: oneOf(['api_key']).required(),
  account_id: accountId(),
  name: plainText().required(),
  starts: plainText().required().description('The first characters of the key, for recognition.'),
  ends: plainText().required().description('Its last four characters.'),
  works: flag().required().description('Whether the key currently works.'),
  models: list(plainText()).allow(null).required().description('null for all models.'),
  hosts: list(keyHost).required(),
  daily_credits: wholeNumber(1, maxGrantCredits).allow(null).required(),
  monthly_credits: wholeNumber(1, maxGrantCredits).allow(null).required(),
  made_by: plainText()
    .allow(null)
    .required()
    .description(
      'The personal account of the team member who created it; null if created by the account holder or by you.',
    ),
  created_at: time().required(),
  revoked_at: time()
    .allow(null)
    .required()
    .description('When the key stops working; in the future after a rotation.'),
  replaced_by: plainText().allow(null).required(),
  api_key: plainText().description(
    'The key itself. Returned once, at creation; replays omit it. If you lose it, rotate the key.',
  ),
})
  .required()
  .meta({ component: 'ApiKey' });

/** The API keys of an account. */
export const keyPage = page('ApiKeyList', apiKeySchema, 'Always null: all keys fit on one page.');
