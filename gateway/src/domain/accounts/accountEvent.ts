import { dayMs } from '@framegate/contract';
import { balanceOf } from '../credits/credits.ts';
import type { Plan } from '../credits/plan.ts';
import type { Attempt } from '../generations/attempt.ts';
import type { Difference } from '../generations/delivery.ts';
import type { Breaker } from '../providers/breaker.ts';
import { partOf, type ProviderPart, stoppedModel } from '../providers/breakerKeys.ts';
import type { Account } from './account.ts';
import { type ApiKey, isLive } from './apiKey.ts';

/* Events of the operator API that are neither ledger entries nor ends of generations. */

/** The content of an event. Times in ms since the epoch, amounts in credits. */
export type EventFact =
  /** `madeBy`: the team member who made it, if any. */
  | { type: 'key.created'; keyId: string; replaces: string | null; madeBy?: string }
  /** `worksUntil` is in the future for a key that was replaced. */
  | { type: 'key.revoked'; keyId: string; worksUntil: number }
  | { type: 'credits.low'; balance: number; threshold: number }
  | { type: 'credits.expiring'; lots: ExpiringLot[] }
  | { type: 'generation.not_as_ordered'; generationId: string; differences: Difference[] }
  | { type: 'plan.started' | 'plan.changed' | 'plan.ended'; plan: Plan }
  | { type: 'provider.circuit_open'; provider: string; part: ProviderPart; openUntil: number }
  | { type: 'provider.circuit_closed'; provider: string; part: ProviderPart };

/** Credits of a lot that expires. */
interface ExpiringLot {
  id: string;
  remaining: number;
  expiresAt: number;
}

/** A fact, stored with the change that caused it. */
export interface StoredEvent {
  id: string;
  /** The account; for other events, the breaker, whose events have a separate numbering. */
  subject: string;
  /** Null for an event without an account. */
  accountId: string | null;
  /** Number of the account's latest ledger entry at the time, which places the event among the entries. */
  number: number;
  /** Position among events and ends of generations after the same entry (`changeSequence`). */
  sequence: number;
  at: number;
  fact: EventFact;
}

/** Upper bound on the decisions about one account in one write. */
const turnsOfVersion = 1_000;

/**
 * The position of an event, or of a generation's end, among those of its account.
 * @param version The account's version after the change.
 * @param turn Position of the decision among those written together.
 */
export const changeSequence = (version: number, turn: number) => version * turnsOfVersion + turn;

/** The part of a generation's end from which events are made. */
interface EndedGeneration {
  id: string;
  attempts: readonly Pick<Attempt, 'differences'>[];
}

/**
 * The events of one change of an account.
 * @param options.lowCredits The balance below which an account is low on credits; 0 disables the event.
 */
export function eventsOf(
  before: Account,
  after: Account,
  options: { ended?: EndedGeneration | undefined; lowCredits: number; nowMs: number },
): EventFact[] {
  const { ended, lowCredits, nowMs } = options;
  return [
    ...(before.lots === after.lots ? [] : lowEvent(before, after, lowCredits)),
    ...(before.keys === after.keys ? [] : keyEvents(before.keys, after.keys, nowMs)),
    ...expiringEvent(before, after, nowMs),
    ...planEvents(before.plan, after.plan),
    ...(ended ? deliveryEvent(ended) : []),
  ];
}

/**
 * Based on the ledger's balance, which includes expired credits until their entry is written, so each decline raises
 * one event.
 */
function lowEvent(before: Account, after: Account, threshold: number): EventFact[] {
  const balance = balanceOf(after.lots);
  const isWayDown = balanceOf(before.lots) >= threshold && balance < threshold;
  return isWayDown ? [{ type: 'credits.low', balance, threshold }] : [];
}

/** How long before their expiry an event announces expiring credits, in ms: a week. */
export const expiryNoticeMs = 7 * dayMs;

/**
 * The account with its lots that expire within a week marked as announced; the same object if there are no new ones.
 */
export function announceExpiring(account: Account, nowMs: number): Account {
  const { expiryNotifiedUntil } = account;
  const announced = { ...account, expiryNotifiedUntil: nowMs + expiryNoticeMs };
  // A clock that goes back slightly must not announce a lot again.
  if (expiryNotifiedUntil !== undefined && expiryNotifiedUntil >= announced.expiryNotifiedUntil) {
    return account;
  }
  return expiringEvent(account, announced, nowMs).length === 0 ? account : announced;
}

function expiringEvent(before: Account, after: Account, nowMs: number): EventFact[] {
  const { expiryNotifiedUntil: until } = after;
  if (until === undefined || until === before.expiryNotifiedUntil) return [];
  const from = Math.max(before.expiryNotifiedUntil ?? 0, nowMs);
  const lots = after.lots.flatMap(({ id, remaining, expiresAt }) => {
    const isWithin = expiresAt !== null && expiresAt > from && expiresAt <= until;
    return remaining > 0 && isWithin ? [{ id, remaining, expiresAt }] : [];
  });
  return lots.length === 0 ? [] : [{ type: 'credits.expiring', lots }];
}

function keyEvents(
  before: readonly ApiKey[],
  after: readonly ApiKey[],
  nowMs: number,
): EventFact[] {
  const keysBefore = new Map(before.map((key) => [key.id, key]));
  const revoked = after.flatMap((key): EventFact[] => {
    const { id: keyId, revokedAt } = key;
    const was = keysBefore.get(keyId);
    const isNews = was !== undefined && isLive(was, nowMs) && revokedAt !== null;
    if (!isNews || was.revokedAt === revokedAt) return [];
    return [{ type: 'key.revoked', keyId, worksUntil: revokedAt }];
  });
  const created = after
    .filter(({ id }) => !keysBefore.has(id))
    .map(({ id, madeBy }): EventFact => {
      const replaces = after.find(({ replacedBy }) => replacedBy === id)?.id ?? null;
      return {
        type: 'key.created',
        keyId: id,
        replaces,
        ...(madeBy && { madeBy: madeBy.id }),
      };
    });
  return [...created, ...revoked];
}

/** The ledger entry already reports a granted month. */
function planEvents(before: Plan | undefined, after: Plan | undefined): EventFact[] {
  if (after === undefined || before === after) return [];
  if (before?.id !== after.id) return [{ type: 'plan.started', plan: after }];
  if (before.endedAt !== after.endedAt) return [{ type: 'plan.ended', plan: after }];
  const isChanged = before.name !== after.name || before.credits !== after.credits;
  return isChanged ? [{ type: 'plan.changed', plan: after }] : [];
}

function deliveryEvent({ id, attempts }: EndedGeneration): EventFact[] {
  const differences = attempts.at(-1)?.differences ?? [];
  if (differences.length === 0) return [];
  return [{ type: 'generation.not_as_ordered', generationId: id, differences: [...differences] }];
}

/** The event of a breaker's change; null if it neither opened nor closed, or is a model's stop. */
export function breakerEvent(key: string, before: Breaker, after: Breaker): EventFact | null {
  const wasOpen = before.openedAt !== null;
  if (wasOpen === (after.openedAt !== null) || stoppedModel(key) !== null) return null;
  const about = partOf(key);
  if (wasOpen) return { type: 'provider.circuit_closed', ...about };
  return { type: 'provider.circuit_open', ...about, openUntil: after.openUntil };
}
