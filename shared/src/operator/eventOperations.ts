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
    description: `Events of all accounts: credits that were granted, charged, refunded or adjusted, that expired, will expire within a week or are running low; generations that ended; results that differ from the order; API keys; and providers whose circuit is open. Their order never changes, and each account's events appear in the order in which they happened. Follow next from page to page to receive every event. After a database restore, feed_restored names the cursor to resume from. With wait_seconds (at most ${maxEventWaitSeconds}), the request waits for the next event.`,
    query: eventQuery,
    showsPrompts: true,
    status: 200,
    response: eventPage,
    refusals: ['cursor_invalid', 'feed_restored'],
  },
} as const satisfies Record<string, OperatorOperation>;
