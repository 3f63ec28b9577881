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
    description: `Ends of generations, and credits that were granted, charged, refunded, adjusted or that expired: of all accounts, in an order that never changes, and for one account in the order in which it happened. Whoever reads from cursor to cursor misses nothing. With wait_seconds (${maxWaitSeconds} at most) the request waits for the next event, so that it need not be repeated in between.`,
    query: eventQuery,
    status: 200,
    answer: eventPage,
    refusals: ['cursor_invalid'],
  },
} as const satisfies Record<string, OperatorOperation>;
