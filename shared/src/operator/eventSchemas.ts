import type { ledgerEntryKinds } from './limits.ts';
import { object, oneOf, time, wholeNumber, words } from '../schemas/fields.ts';
import { accountId, page, pageFields } from './fields.ts';
import { operatorGenerationSchema } from './generationSchemas.ts';
import { ledgerEntrySchema } from './schemas.ts';
import type { EventQuery, OperatorEvent } from './wire.ts';

/** The types of events about credits, by the kind of their ledger entry. */
export const creditEvents = {
  grant: 'credits.granted',
  charge: 'credits.charged',
  refund: 'credits.refunded',
  expiry: 'credits.expired',
  adjustment: 'credits.adjusted',
} as const satisfies Record<(typeof ledgerEntryKinds)[number], string>;

/** Seconds that a request for events may wait at most. */
export const maxWaitSeconds = 30;

/** Query of the events. */
export const eventQuery = object<EventQuery>({
  ...pageFields,
  wait_seconds: wholeNumber(0, maxWaitSeconds).description(
    'How long to wait where there is no event yet; without it the answer comes at once.',
  ),
}).required();

const eventSchema = object<OperatorEvent>({
  id: words().required().description('The same whenever the event is read.'),
  object: oneOf(['event']).required(),
  type: oneOf([
    ...Object.values(creditEvents),
    'generation.completed',
    'generation.failed',
  ]).required(),
  account_id: accountId(),
  created_at: time().required(),
  ledger_entry: ledgerEntrySchema
    .optional()
    .description('Of an event about credits: the entry of the ledger.'),
  generation: operatorGenerationSchema
    .optional()
    .description('Of the end of a generation: its record as it is now.'),
})
  .required()
  .meta({ component: 'Event' });

export const eventPage = page(
  'EventPage',
  eventSchema,
  'Always there: keep it, and ask with it for later events.',
);
