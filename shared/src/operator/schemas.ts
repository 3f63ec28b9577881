import Joi from 'joi';
import {
  amount,
  flag,
  list,
  object,
  oneOf,
  says,
  text,
  time,
  wholeNumber,
  words,
} from '../schemas/fields.ts';
import { ledgerEntryKinds, limitNames, lotKinds, maxGrantCredits, maxLimit } from './limits.ts';
import type {
  AccountCredits,
  AccountQuery,
  AdjustBody,
  CreateAccountBody,
  GrantBody,
  OperatorAccount,
  OperatorLedgerEntry,
  OperatorLimits,
  OperatorLot,
  Page,
  PageQuery,
  ReasonBody,
  UpsertAccountBody,
} from './wire.ts';

/** Documents of a page at most, and without a limit of the caller's. */
export const pageLimits = { most: 500, usual: 100 } as const;

/** A word of the operator's own, stored as it is and compared exactly. */
const ownWord = (most: number) =>
  text(new RegExp(`^[!-~]{1,${most}}$`), `1 to ${most} visible ASCII characters without spaces`);

/** The operator's own id of a customer. */
export const externalId = () =>
  ownWord(128).description('Your own id of the customer, unique among all accounts.');

const email = () =>
  says(Joi.string().max(254), 'Must be an e-mail address.').description(
    'Compared without regard to case; each account has its own.',
  );
const verified = () =>
  flag().description(
    'Whether you know that the address belongs to the customer; false if absent. Without it, the customer confirms the address when signing in to the site.',
  );
const reason = () =>
  says(Joi.string().min(1).max(500), 'Must be text of 1 to 500 characters.').description(
    'Why, for the audit log and, with credits, for the ledger.',
  );
const reference = () =>
  ownWord(255).description(
    'Your own id of their occasion, such as a payment. Credits are booked once under a reference, whatever the Idempotency-Key.',
  );
const moment = () =>
  text(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/,
    'a UTC time such as 2030-01-31T12:00:00Z',
  ).meta({ openapi: { format: 'date-time' } });
const accountId = () => words().required();

const limitFields = (isRequired: boolean) =>
  Object.fromEntries(
    Object.entries(limitNames).map(([name, min]) => {
      const field = wholeNumber(min, maxLimit);
      return [name, isRequired ? field.required() : field];
    }),
  ) as Joi.SchemaMap<OperatorLimits, true>;

const page = <T>(name: string, item: Joi.Schema, next: string) =>
  object<Page<T>>({
    object: oneOf(['list']).required(),
    data: list(item).required(),
    has_more: flag().required().description('Whether the next page has something now.'),
    next: words().allow(null).required().description(next),
  })
    .required()
    .meta({ component: name });

const pageFields = {
  after: says(Joi.string().max(200), 'Must be a cursor.').description(
    'The next of an earlier page of the same list; without it the list begins.',
  ),
  limit: wholeNumber(1, pageLimits.most).description(`How many; ${pageLimits.usual} if absent.`),
};

/** Query of a list. */
export const pageQuery = object<PageQuery>(pageFields).required();

/** Query of the list of accounts. */
export const accountQuery = object<AccountQuery>({
  external_id: externalId().description('Finds the account with this external id.'),
  email: says(Joi.string().max(254), 'Must be an e-mail address.').description(
    'Finds the account with this e-mail address.',
  ),
  ...pageFields,
}).required();

export const createAccountSchema = object<CreateAccountBody>({
  external_id: externalId(),
  email: email().required(),
  email_verified: verified(),
})
  .required()
  .meta({ component: 'CreateAccount' });

export const upsertAccountSchema = object<UpsertAccountBody>({
  email: email().required(),
  email_verified: verified(),
})
  .required()
  .meta({ component: 'UpsertAccount' });

export const reasonSchema = object<ReasonBody>({ reason: reason() })
  .required()
  .meta({ component: 'Reason' });

export const changeLimitsSchema = object<Partial<OperatorLimits>>(limitFields(false))
  .required()
  .meta({ component: 'ChangeLimits' });

export const grantSchema = object<GrantBody>({
  amount: wholeNumber(1, maxGrantCredits).required(),
  kind: oneOf(lotKinds).required(),
  expires_at: moment()
    .allow(null)
    .description('When the rest of the credits expires; never if absent or null.'),
  reason: reason(),
  reference: reference(),
})
  .required()
  .meta({ component: 'Grant' });

export const adjustSchema = object<AdjustBody>({
  amount: says(
    wholeNumber(-maxGrantCredits, maxGrantCredits).invalid(0),
    `Must be a whole number from -${maxGrantCredits.toLocaleString('en-US')} to ${maxGrantCredits.toLocaleString('en-US')}, but not 0.`,
  )
    .required()
    .description('Positive gives, negative takes. It never takes more than the balance.'),
  reason: reason().required(),
  reference: reference(),
  generation_id: words().max(64).description('The generation that the adjustment is about.'),
})
  .required()
  .meta({ component: 'Adjust' });

export const accountSchema = object<OperatorAccount>({
  id: words().required(),
  object: oneOf(['account']).required(),
  external_id: words().allow(null).required(),
  email: words().required(),
  email_verified: flag().required(),
  status: oneOf(['active', 'suspended']).required(),
  limits: object<OperatorLimits>(limitFields(true)).required().meta({ component: 'Limits' }),
  created_at: time().required(),
})
  .required()
  .meta({ component: 'Account' });

const lot = object<OperatorLot>({
  id: words().required(),
  kind: oneOf(lotKinds).required(),
  amount: amount().required().description('Credits with which the lot was opened.'),
  remaining: amount().required(),
  expires_at: time().allow(null).required(),
  created_at: time().required(),
}).meta({ component: 'Lot' });

export const accountCreditsSchema = object<AccountCredits>({
  object: oneOf(['account_credits']).required(),
  account_id: accountId(),
  unit: oneOf(['credits']).required(),
  available: amount().required().description('Credits that can be spent now.'),
  in_flight: amount()
    .required()
    .description('Charges of unfinished generations, already taken from available.'),
  lots: list(lot).required().description('In the order in which they are spent.'),
  as_of: time().required(),
})
  .required()
  .meta({ component: 'AccountCredits' });

const movement = object<OperatorLedgerEntry['movements'][number]>({
  lot_id: words().required(),
  kind: oneOf(lotKinds).required(),
  amount: signed().required(),
  expires_at: time().allow(null).required(),
}).meta({ component: 'LotMovement' });

export const ledgerEntrySchema = object<OperatorLedgerEntry>({
  id: words().required(),
  object: oneOf(['ledger_entry']).required(),
  account_id: accountId(),
  number: amount(1).required().description('1, 2, 3 … for each account, without gaps.'),
  kind: oneOf(ledgerEntryKinds).required(),
  amount: signed().required().description('The sum of the movements; negative where taken.'),
  movements: list(movement).required(),
  generation_id: words().allow(null).required(),
  reason: words().allow(null).required(),
  reference: words().allow(null).required().description('Yours, if the entry was made with one.'),
  created_at: time().required(),
})
  .required()
  .meta({ component: 'LedgerEntry' });

function signed(): Joi.NumberSchema {
  return says(Joi.number().integer(), 'Must be a whole number.');
}

export const accountPage = page('AccountList', accountSchema, 'null at the end of the list.');
export const ledgerPage = page(
  'LedgerPage',
  ledgerEntrySchema,
  'Always there: keep it, and ask with it for later entries.',
);
