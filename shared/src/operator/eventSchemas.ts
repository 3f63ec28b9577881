import { type DeliveryAspect, deliveryAspects } from '../deliveryAspects.ts';
import {
  amount,
  flag,
  list,
  object,
  oneOf,
  plainText,
  time,
  wholeNumber,
} from '../schemas/fields.ts';
import { eventTypes } from './eventTypes.ts';
import { page, pageFields } from './fields.ts';
import { operatorGenerationSchema } from './generationSchemas.ts';
import { planSchema } from './planOperations.ts';
import { ledgerEntrySchema } from './schemas.ts';

/** Maximum seconds that a request for events may wait. */
export const maxEventWaitSeconds = 30;

/** Query of the events. */
export const eventQuery = object({
  ...pageFields,
  wait_seconds: wholeNumber(0, maxEventWaitSeconds).description(
    'Maximum wait if there is no new event. Without it, the response is immediate.',
  ),
}).required();

const key = object({
  id: plainText().required(),
  replaces: plainText()
    .allow(null)
    .required()
    .description('The key that this key replaces, if any.'),
  made_by: plainText()
    .allow(null)
    .required()
    .description('For a new key: the personal account of the team member who created it, if any.'),
  works_until: time()
    .allow(null)
    .required()
    .description(
      'For a revoked key: when it stops working, which is in the future if another key replaces it.',
    ),
}).meta({ component: 'KeyOfEvent' });

const lowCredits = object({
  balance: amount().required(),
  threshold: amount()
    .required()
    .description('The value of LOW_CREDITS that the balance fell below.'),
}).meta({ component: 'LowCredits' });

const expiringLot = object({
  id: plainText().required(),
  remaining: amount().required(),
  expires_at: time().required(),
}).meta({ component: 'ExpiringLot' });

const aspectNotes: Partial<Record<DeliveryAspect, string>> = {
  files: 'their number',
  flat: 'one flat colour',
  still: 'a video that never moves',
  equal: 'identical images',
  rate: 'too few frames per second',
};
const aspects = deliveryAspects.map((aspect) => {
  const note = aspectNotes[aspect];
  return note === undefined ? aspect : `${aspect} (${note})`;
});

const difference = object({
  in: plainText()
    .required()
    .description(
      `The aspect that differs: ${aspects.slice(0, -1).join(', ')} or ${aspects.at(-1)}.`,
    ),
  ordered: plainText().required(),
  delivered: plainText().required(),
  gross: flag().required().description('Whether the result does not match the order.'),
}).meta({ component: 'Difference' });

const delivery = object({
  generation_id: plainText()
    .required()
    .description('If failed, it was refunded; if completed, it was delivered to the customer.'),
  differences: list(difference).required(),
}).meta({ component: 'Delivery' });

const provider = object({
  name: plainText().required().description('Its name in ROUTES_FILE.'),
  part: oneOf(['provider', 'model', 'key', 'files', 'budget'])
    .required()
    .description(
      'The affected part: the whole provider, one of its models, keys or file hosts, or its daily budget.',
    ),
  part_name: plainText().allow(null).required().description('Name of the model, key or file host.'),
  open_until: time()
    .allow(null)
    .required()
    .description('When it is tried again; null once it is back in service.'),
}).meta({ component: 'ProviderOfEvent' });

const eventSchema = object({
  id: plainText().required().description('Stays the same whenever the event is read.'),
  object: oneOf(['event']).required(),
  position: amount(1).required().description('Position in the feed.'),
  type: oneOf(eventTypes).required(),
  account_id: plainText().allow(null).required().description('null for provider events.'),
  created_at: time().required(),
  ledger_entry: ledgerEntrySchema.optional().description('For credit events: the ledger entry.'),
  generation: operatorGenerationSchema
    .optional()
    .description('For the end of a generation: its current record.'),
  key: key.optional().description('For API key events.'),
  low_credits: lowCredits.optional().description('For credits.low.'),
  expiring_lots: list(expiringLot)
    .optional()
    .description('For credits.expiring: lots with remaining credits that expire within a week.'),
  delivery: delivery
    .optional()
    .description('For generation.not_as_ordered: how the result differs from the order.'),
  plan: planSchema.optional().description('For plan events: the plan after the change.'),
  provider: provider.optional().description('For provider events.'),
})
  .required()
  .meta({ component: 'Event' });

/** One page of the events. */
export const eventPage = page(
  'EventPage',
  eventSchema,
  'Always present. Store it to request later events.',
);
