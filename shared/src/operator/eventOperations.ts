import { eventPage, eventQuery, maxWaitSeconds } from './eventSchemas.ts';
import type { OperatorOperation } from './operation.ts';

/** Operations on events. */
export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    scope: 'events:read',
    summary: 'Follow events',
    description: `Credits that were granted, charged, refunded or adjusted, that expired, expire within a week or are low; ends of generations, and deliveries that are not as ordered; API keys; providers whose circuit is open: of all accounts, in an order that never changes, and for one account in the order in which it happened. Whoever reads from cursor to cursor misses nothing; after a restore of the database, feed_restored names the cursor from which to read again. With wait_seconds (${maxWaitSeconds} at most) the request waits for the next event, so that it need not be repeated in between.`,
    query: eventQuery,
    showsPrompts: true,
    status: 200,
    answer: eventPage,
    refusals: ['cursor_invalid', 'feed_restored'],
  },
} as const satisfies Record<string, OperatorOperation>;
