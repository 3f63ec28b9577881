import {
  creditEvents,
  pageLimits,
  type EventQuery,
  type OperatorEvent,
  type Page,
} from '@framegate/contract/operator';
import { pause } from '@framegate/limits';
import { formatCursor, parseNumberCursor } from '../../domain/cursor.ts';
import type { PlacedEnd, PlacedEntry } from '../ports/operator.ts';
import { presentGenerationOf } from './generations.ts';
import type { OperatorDeps } from './operatorDeps.ts';
import { presentEntry, presentPage } from './present.ts';

/** Requests of one process that may wait for events; further ones are answered at once. */
const maxWaiting = 100;
/** How often a waiting request looks for events, in ms. */
const lookEveryMs = 1_000;

/**
 * Makes the reader of events. It waits for the next one as long as the query says, until the client has gone or the
 * process stops.
 * @throws Refusal `cursor_invalid`
 */
export function createFollowEvents(deps: OperatorDeps) {
  let waiting = 0;
  return async (
    { after, limit = pageLimits.usual, wait_seconds: waitSeconds = 0 }: EventQuery,
    over: AbortSignal,
  ): Promise<Page<OperatorEvent>> => {
    const list = 'events';
    const begin = parseNumberCursor(list, after);
    const until = deps.clock.now() + (waiting < maxWaiting ? waitSeconds * 1000 : 0);
    waiting += 1;
    try {
      for (;;) {
        const found = await deps.feed.events(begin, limit + 1);
        const leftMs = until - deps.clock.now();
        if (found.length > 0 || leftMs <= 0 || over.aborted) {
          return presentPage(found, {
            list,
            limit,
            begin: formatCursor(list, String(begin)),
            placeOf: ({ position }) => position,
            present: (event) => presentEvent(deps, event),
          });
        }
        await pause(Math.min(leftMs, lookEveryMs), over);
      }
    } finally {
      waiting -= 1;
    }
  };
}

function presentEvent(deps: OperatorDeps, event: PlacedEntry | PlacedEnd): OperatorEvent {
  const id = `evt_${event.position}`;
  if ('entry' in event) {
    const { accountId, kind, at } = event.entry;
    return {
      id,
      object: 'event',
      type: creditEvents[kind],
      account_id: accountId,
      created_at: new Date(at).toISOString(),
      ledger_entry: presentEntry(event.entry),
    };
  }
  const { accountId, status, endedAt, createdAt } = event.ended;
  return {
    id,
    object: 'event',
    type: status === 'failed' ? 'generation.failed' : 'generation.completed',
    account_id: accountId,
    created_at: new Date(endedAt ?? createdAt).toISOString(),
    generation: presentGenerationOf(deps, event.ended),
  };
}
