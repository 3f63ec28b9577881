import { eventPage, eventQuery, maxEventWaitSeconds } from './eventSchemas.ts';
import type { OperatorOperation } from './operation.ts';

/** Operations on events. */
export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    scope: 'events:read',
    summary: 'Follow events',
    description: `Events of all accounts: credits that were granted, charged, refunded or adjusted, that expired, expire within a week or are low; ends of generations; deliveries that are not as ordered; API keys; and providers whose circuit is open. Their order never changes, and events of one account are in the order in which they happened. Follow next from page to page to receive every event. After a restore of the database, feed_restored names the cursor from which to read again. With wait_seconds (${maxEventWaitSeconds} at most), the request waits for the next event.`,
    query: eventQuery,
    showsPrompts: true,
    status: 200,
    answer: eventPage,
    refusals: ['cursor_invalid', 'feed_restored'],
  },
} as const satisfies Record<string, OperatorOperation>;
