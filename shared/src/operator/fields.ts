import Joi from 'joi';
import {
  flag,
  list,
  object,
  oneOf,
  plainText,
  says,
  text,
  wholeNumber,
} from '../schemas/fields.ts';
import type { AccountList } from './generated/wire.ts';

/* Fields shared by several schemas of the operator API. */

/** Documents per page: maximum and default. */
export const pageLimits = { max: 500, usual: 100 } as const;

/** A word chosen by the operator, stored unchanged and compared exactly. */
export const ownWord = (max: number) =>
  text(new RegExp(`^[!-~]{1,${max}}$`), `1 to ${max} visible ASCII characters without spaces`);

/** The operator's own customer id. */
export const externalId = () =>
  ownWord(128).description('Your ID for the customer, unique across all accounts.');

/** A group of MODELS_FILE or ROUTES_FILE. */
export const priceGroup = () =>
  says(Joi.string().max(64), 'Must be the name of a group.').description(
    'The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults.',
  );

/** An email address. */
export const email = () =>
  says(Joi.string().max(254), 'Must be an email address.').description(
    'Case-insensitive and unique across all accounts.',
  );
/** Whether an email address is verified. */
export const emailVerified = () =>
  flag().description(
    'Whether you have verified that the address belongs to the customer. Defaults to false: the customer then confirms the address when signing in to the site.',
  );
/** The reason of a write, for the audit log. */
export const reason = () =>
  says(Joi.string().min(1).max(500), 'Must be text of 1 to 500 characters.').description(
    'The reason, recorded in the audit log and, for credits, in the ledger.',
  );
/** The operator's own reference of a write. */
export const reference = () =>
  ownWord(255).description(
    'Your ID for the transaction, such as a payment. Credits are booked only once per reference, regardless of the Idempotency-Key.',
  );
/** A time given by the operator. */
export const utcTime = () =>
  text(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/,
    'a UTC time such as 2030-01-31T12:00:00Z',
  ).meta({ openapi: { format: 'date-time' } });
/** The id of an account in a response. */
export const accountId = () => plainText().required();

/** One page of a list of any records. */
export type Page<T> = Omit<AccountList, 'data'> & { data: T[] };

/** One page of a list. */
export const page = (name: string, item: Joi.Schema, next: string) =>
  object({
    object: oneOf(['list']).required(),
    data: list(item).required(),
    has_more: flag().required().description('Whether more items are available now.'),
    next: plainText().allow(null).required().description(next),
  })
    .required()
    .meta({ component: name });

/** The query fields of every list. */
export const pageFields = {
  after: says(Joi.string().max(200), 'Must be a cursor.').description(
    'The next value of an earlier page of the same list. Omit it to start from the beginning.',
  ),
  limit: wholeNumber(1, pageLimits.max).description(
    `Items per page; ${pageLimits.usual} by default.`,
  ),
};

/** Query of a list. */
export const pageQuery = object(pageFields).required();
