import Joi from 'joi';
import {
  amount,
  type Fields,
  flag,
  list,
  object,
  oneOf,
  plainText,
  says,
  time,
  wholeNumber,
} from '../schemas/fields.ts';
import {
  accountId,
  email,
  emailVerified,
  externalId,
  page,
  pageFields,
  priceGroup,
  reason,
  reference,
  utcTime,
} from './fields.ts';
import {
  erasureStates,
  ledgerEntryKinds,
  limitNames,
  lotKinds,
  maxGrantCredits,
  maxLimit,
} from './limits.ts';

const limitFields = (isRequired: boolean) =>
  Object.fromEntries(
    Object.entries(limitNames).map(([name, min]) => {
      const field = wholeNumber(min, maxLimit);
      return [name, isRequired ? field.required() : field];
    }),
  ) as Fields;

/** Query of the list of accounts. */
export const accountQuery = object({
  external_id: externalId().description('Finds the account with this external ID.'),
  email: says(Joi.string().max(254), 'Must be an email address.').description(
    'Finds the account with this email address.',
  ),
  ...pageFields,
}).required();

/** Body that creates an account. */
export const createAccountSchema = object({
  external_id: externalId(),
  email: email().required(),
  email_verified: emailVerified(),
  group: priceGroup(),
})
  .required()
  .meta({ component: 'CreateAccount' });

/** Body that changes the group of an account. */
export const changeGroupSchema = object({
  group: priceGroup().allow(null).required(),
  reason: reason(),
})
  .required()
  .meta({ component: 'ChangeGroup' });

/** Body that creates or changes the account of an external id. */
export const upsertAccountSchema = object({
  email: email().required(),
  email_verified: emailVerified(),
})
  .required()
  .meta({ component: 'UpsertAccount' });

/** The erasure of an account. */
export const erasureSchema = object({
  object: oneOf(['erasure']).required(),
  account_id: accountId(),
  state: oneOf(erasureStates)
    .required()
    .description(
      '`scheduled` until it begins, and can be withdrawn only until then; `erased` when everything has been removed.',
    ),
  begins_at: time().allow(null).required().description('When a scheduled erasure begins.'),
  started_at: time().allow(null).required().description('null until it begins.'),
  done_at: time().allow(null).required(),
  checked_at: time()
    .allow(null)
    .required()
    .description(
      'When a nightly search of all data last confirmed that nothing remains; null until then.',
    ),
  counts: list(
    object({
      kind: plainText().required(),
      count: wholeNumber(0, Number.MAX_SAFE_INTEGER).required(),
    }).required(),
  )
    .required()
    .description(
      'Number of items removed so far, by kind. `generations` counts those whose prompts and files were removed.',
    ),
})
  .required()
  .meta({ component: 'Erasure' });

/** Body of a write with an optional reason. */
export const reasonSchema = object({ reason: reason() }).required().meta({ component: 'Reason' });

/** Body that changes limits of an account. */
export const changeLimitsSchema = object(limitFields(false))
  .required()
  .meta({ component: 'ChangeLimits' });

/** Body that grants credits. */
export const grantSchema = object({
  amount: wholeNumber(1, maxGrantCredits).required(),
  kind: oneOf(lotKinds).required(),
  expires_at: utcTime()
    .allow(null)
    .description('When remaining credits expire; never if absent or null.'),
  reason: reason(),
  reference: reference(),
})
  .required()
  .meta({ component: 'Grant' });

/** Body that adjusts credits. */
export const adjustSchema = object({
  amount: says(
    wholeNumber(-maxGrantCredits, maxGrantCredits).invalid(0),
    `Must be a whole number from -${maxGrantCredits.toLocaleString('en-US')} to ${maxGrantCredits.toLocaleString('en-US')}, but not 0.`,
  )
    .required()
    .description(
      'Positive to add, negative to remove credits. At most the balance can be removed.',
    ),
  reason: reason().required(),
  reference: reference(),
  generation_id: plainText().max(64).description('The generation to which the adjustment relates.'),
})
  .required()
  .meta({ component: 'Adjust' });

/** An account. */
export const accountSchema = object({
  id: plainText().required(),
  object: oneOf(['account']).required(),
  external_id: plainText().allow(null).required(),
  email: plainText().required(),
  email_verified: flag().required(),
  status: oneOf(['active', 'suspended']).required(),
  group: priceGroup().allow(null).required(),
  limits: object(limitFields(true)).required().meta({ component: 'Limits' }),
  created_at: time().required(),
})
  .required()
  .meta({ component: 'Account' });

const lot = object({
  id: plainText().required(),
  kind: oneOf(lotKinds).required(),
  amount: amount()
    .required()
    .description(
      'Total credits granted to the lot; grants of the same kind and expiry share a lot.',
    ),
  remaining: amount().required(),
  expires_at: time().allow(null).required(),
  created_at: time().required(),
}).meta({ component: 'Lot' });

/** The credits of an account, by lot. */
export const accountCreditsSchema = object({
  object: oneOf(['account_credits']).required(),
  account_id: accountId(),
  unit: oneOf(['credits']).required(),
  available: amount().required().description('Credits that can be spent now.'),
  in_flight: amount()
    .required()
    .description('Charges of unfinished generations, already deducted from available.'),
  lots: list(lot).required().description('In spending order.'),
  as_of: time().required(),
})
  .required()
  .meta({ component: 'AccountCredits' });

const movement = object({
  lot_id: plainText().required(),
  kind: oneOf(lotKinds).required(),
  amount: signedInteger().required(),
  expires_at: time().allow(null).required(),
}).meta({ component: 'LotMovement' });

/** An entry of the ledger. */
export const ledgerEntrySchema = object({
  id: plainText().required().description('Unique, even after a database restore.'),
  object: oneOf(['ledger_entry']).required(),
  account_id: accountId(),
  number: amount(1).required().description('1, 2, 3 … per account, without gaps.'),
  kind: oneOf(ledgerEntryKinds).required(),
  amount: signedInteger()
    .required()
    .description('Sum of the movements; negative if credits were removed.'),
  movements: list(movement).required(),
  generation_id: plainText().allow(null).required(),
  reason: plainText().allow(null).required(),
  reference: plainText().allow(null).required().description('Your reference, if one was given.'),
  request_id: plainText().required().description('The request that created the entry.'),
  created_at: time().required(),
  hash: plainText()
    .required()
    .description('SHA-256 of this entry and the previous hash, to verify copies.'),
  position: amount(1)
    .allow(null)
    .required()
    .description('Position in the feeds; null if the entry was not read from a feed.'),
})
  .required()
  .meta({ component: 'LedgerEntry' });

function signedInteger(): Joi.NumberSchema {
  return says(Joi.number().integer(), 'Must be a whole number.');
}

/** One page of the list of accounts. */
export const accountPage = page('AccountList', accountSchema, 'null at the end of the list.');
/** One page of the ledger. */
export const ledgerPage = page(
  'LedgerPage',
  ledgerEntrySchema,
  'Always present. Store it to request later entries.',
);
