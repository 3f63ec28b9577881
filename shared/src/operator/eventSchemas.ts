import { amount, flag, list, object, oneOf, time, wholeNumber, words } from '../schemas/fields.ts';
import { eventTypes } from './eventTypes.ts';
import { page, pageFields } from './fields.ts';
import { operatorGenerationSchema } from './generationSchemas.ts';
import { ledgerEntrySchema } from './schemas.ts';
import { planSchema } from './planOperations.ts';

/** Maximum seconds that a request for events may wait. */
export const maxWaitSeconds = 30;

/** Query of the events. */
export const eventQuery = object({
  ...pageFields,
  wait_seconds: wholeNumber(0, maxWaitSeconds).description(
    'How long to wait where there is no event yet; without it the answer comes at once.',
  ),
}).required();

const key = object({
  id: words().required(),
  replaces: words().allow(null).required().description('The key whose place it takes, if any.'),
  made_by: words()
    .allow(null)
    .required()
    .description('Of a new key: the own account of the member of the team who made it, if any.'),
  works_until: time()
    .allow(null)
    .required()
    .description('Of a revoked key: in the future where another one replaces it.'),
}).meta({ component: 'KeyOfEvent' });

const lowCredits = object({
  balance: amount().required(),
  threshold: amount().required().description('LOW_CREDITS, which the balance fell below.'),
}).meta({ component: 'LowCredits' });

const expiringLot = object({
  id: words().required(),
  remaining: amount().required(),
  expires_at: time().required(),
}).meta({ component: 'ExpiringLot' });

const difference = object({
  in: words()
    .required()
    .description('size, ratio, length, sound, files, type, flat, still, equal or rate.'),
  ordered: words().required(),
  delivered: words().required(),
  gross: flag().required().description('Whether it does not match the order.'),
}).meta({ component: 'Difference' });

const delivery = object({
  generation_id: words()
    .required()
    .description('A failed one was refunded; a completed one has reached the customer.'),
  differences: list(difference).required(),
}).meta({ component: 'Delivery' });

const provider = object({
  name: words().required().description('Its name in ROUTES_FILE.'),
  part: oneOf(['provider', 'model', 'key', 'files', 'budget'])
    .required()
    .description(
      'Whether all of it is meant, one of its models, keys or file hosts, or its daily budget.',
    ),
  part_name: words().allow(null).required().description('Of the model, key or file host.'),
  rests_until: time()
    .allow(null)
    .required()
    .description('When it is tried again; null once it is in service.'),
}).meta({ component: 'ProviderOfEvent' });

const eventSchema = object({
  id: words().required().description('The same whenever the event is read.'),
  object: oneOf(['event']).required(),
  position: amount(1).required().description('Its place in the feed.'),
  type: oneOf(eventTypes).required(),
  account_id: words().allow(null).required().description('null for an event of a provider.'),
  created_at: time().required(),
  ledger_entry: ledgerEntrySchema
    .optional()
    .description('Of an event about credits: the entry of the ledger.'),
  generation: operatorGenerationSchema
    .optional()
    .description('Of the end of a generation: its record as it is now.'),
  key: key.optional().description('Of an event about an API key.'),
  low_credits: lowCredits.optional().description('Of credits.low.'),
  expiring_lots: list(expiringLot)
    .optional()
    .description('Of credits.expiring: lots that expire within a week and hold credits.'),
  delivery: delivery
    .optional()
    .description('Of generation.not_as_ordered: how the result differs from the order.'),
  plan: planSchema.optional().description('Of an event about a plan: as the change left it.'),
  provider: provider.optional().description('Of an event about a provider.'),
})
  .required()
  .meta({ component: 'Event' });

export const eventPage = page(
  'EventPage',
  eventSchema,
  'Always there: keep it, and ask with it for later events.',
);
