import { creditEvents, type OperatorEvent, pageLimits } from '@framegate/contract/operator';
import { pause, type Slot } from '@framegate/limits';
import type { EventFact, StoredEvent } from '../../domain/accounts/accountEvent.ts';
import type { FeedPoint } from '../../domain/feed/feedEpochs.ts';
import type { ProviderPart } from '../../domain/providers/breakerKeys.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { App } from '../app.ts';
import type { PositionedEnd, PositionedEvent, PositionedLedgerEntry } from '../ports/operator.ts';
import { presentGenerationOf } from './generations.ts';
import type { OperatorUseCases } from './operatorCall.ts';
import { presentEntry, presentPlan } from './present.ts';
import { readFeed } from './readFeed.ts';

/** Interval at which a waiting request checks for events, in ms. */
const checkEveryMs = 1_000;

export const eventUseCases = {
  /**
   * Reads events. It waits for the next event as long as the query allows, until the client disconnects or the process
   * stops; a call that gets no slot for waiting is answered immediately.
   * @throws Refusal `cursor_invalid`, `feed_restored`.
   */
  async listEvents(
    deps,
    {
      query: { after, limit = pageLimits.usual, wait_seconds: waitSeconds = 0 },
      signal,
      beginWait,
    },
  ) {
    const until = deps.clock.now() + waitSeconds * 1000;
    let slot: Slot | null = null;
    try {
      for (;;) {
        const page = await readFeed(deps.feed, {
          list: 'events',
          after,
          limit,
          read: (...args) => deps.feed.findEvents(...args),
          present: (event: PositionedItem, point) => presentEvent(deps, event, point),
        });
        const leftMs = until - deps.clock.now();
        if (page.data.length > 0 || leftMs <= 0 || signal.aborted) return page;
        slot ??= beginWait();
        if (!slot) return page;
        await pause(Math.min(leftMs, checkEveryMs), signal);
      }
    } finally {
      slot?.leave();
    }
  },
} satisfies Partial<OperatorUseCases>;

function presentEvent(
  deps: App,
  placed: PositionedItem,
  { epoch, position }: FeedPoint,
): OperatorEvent {
  const own = { id: `evt_${epoch ?? ''}_${position}`, object: 'event', position } as const;
  if ('event' in placed) return { ...own, ...presentStored(placed.event) };
  if ('entry' in placed) {
    const { accountId, kind, at } = placed.entry;
    return {
      ...own,
      type: creditEvents[kind],
      account_id: accountId,
      created_at: isoTime(at),
      ledger_entry: presentEntry(placed.entry, position),
    };
  }
  const { accountId, status, endedAt, createdAt } = placed.ended;
  return {
    ...own,
    type: status === 'failed' ? 'generation.failed' : 'generation.completed',
    account_id: accountId,
    created_at: isoTime(endedAt ?? createdAt),
    generation: presentGenerationOf(deps, placed.ended),
  };
}

type PositionedItem = PositionedLedgerEntry | PositionedEnd | PositionedEvent;

const presentStored = ({ accountId, at, fact }: StoredEvent) => ({
  type: fact.type,
  account_id: accountId,
  created_at: isoTime(at),
  ...presentFact(accountId, fact),
});

/** The fields of an event's type. */
function presentFact(accountId: string | null, fact: EventFact): Partial<OperatorEvent> {
  switch (fact.type) {
    case 'key.created':
      return {
        key: {
          id: fact.keyId,
          replaces: fact.replaces,
          works_until: null,
          made_by: fact.madeBy ?? null,
        },
      };
    case 'key.revoked':
      return {
        key: {
          id: fact.keyId,
          replaces: null,
          made_by: null,
          works_until: isoTime(fact.worksUntil),
        },
      };
    case 'credits.low':
      return { low_credits: { balance: fact.balance, threshold: fact.threshold } };
    case 'credits.expiring':
      return {
        expiring_lots: fact.lots.map(({ id, remaining, expiresAt }) => ({
          id,
          remaining,
          expires_at: isoTime(expiresAt),
        })),
      };
    case 'generation.not_as_ordered':
      return {
        delivery: {
          generation_id: fact.generationId,
          differences: fact.differences.map(({ isGross = false, ...same }) => ({
            ...same,
            gross: isGross,
          })),
        },
      };
    case 'plan.started':
    case 'plan.changed':
    case 'plan.ended':
      return { plan: presentPlan(accountId ?? '', fact.plan) };
    case 'provider.circuit_open':
      return { provider: presentProvider(fact, isoTime(fact.openUntil)) };
    case 'provider.circuit_closed':
      return { provider: presentProvider(fact, null) };
  }
}

const presentProvider = (
  { provider, part }: Extract<EventFact, { part: ProviderPart }>,
  openUntil: string | null,
) => ({
  name: provider,
  part: part.kind,
  part_name: 'name' in part ? part.name : null,
  open_until: openUntil,
});
