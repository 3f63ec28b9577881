import { type Log, minuteMs } from '@framegate/contract';
import type { PollLimits, PollResult, Routes } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import { spreadMs } from '../../../domain/network/rateLimit.ts';
import { nextPollAt, retryPauseMs } from '../../../domain/providers/pollLimits.ts';
import { isDue } from '../../../domain/time/furthestTimes.ts';
import type { Clock, Random } from '../../ports/system.ts';
import type { SlotStore } from '../../ports/upkeep.ts';

/** Polls of providers within their rates. */
export interface PollTurns {
  /**
   * Takes turns for polls of a provider's jobs. Where the operator sets `perMinute`, all processes share them.
   * @param count At least 1.
   * @returns How many polls may begin now, at most `count`.
   */
  take(provider: string, count: number): Promise<number>;
  /** Whether the polls of a provider's jobs have a rate, which all processes share. */
  isRated(provider: string): boolean;
  /**
   * The time until which a provider accepts no polls with an attempt's key, in ms since the epoch; 0 if it named none.
   */
  pausedUntil(attempt: Attempt | undefined): number;
  /**
   * The time of the next poll in ms since the epoch, after a result: the planned one, or later if the provider or the
   * operator asks for that. A 429 or 503 response with Retry-After pauses all polls with its key.
   */
  nextAt(generation: PolledGeneration, result: PollResult, plannedAt: number): number;
  /** The earliest time of the first poll of an accepted job, in ms since the epoch. */
  firstAt(attempt: Attempt | undefined, plannedAt: number, deadlineAt: number): number;
}

/** Turns that this process has reserved. */
interface Stock {
  left: number;
  goodUntil: number;
  /** No more are reserved before this time. */
  askAgainAt: number;
}

/** Part of a block's turns that one process reserves at once, so that others get their share. */
const shareOfBlock = 1 / 2;
/** Statuses by which a provider pauses all polls. */
const pausingStatuses: readonly (number | null | undefined)[] = [429, 503];

/** Creates the turns of one process. Turns are reserved in blocks, so that a poll costs less than a write. */
export function createPollTurns(
  deps: { clock: Clock; log: Log; random: Pick<Random, 'fraction'>; routes: Routes },
  slots: Pick<SlotStore, 'reserve'>,
): PollTurns {
  const { clock, log, random, routes } = deps;
  const stocks = new Map<string, Stock>();
  const asking = new Map<string, Promise<void>>();
  /** Pauses by provider and key: as many as the operator names. */
  const pauses = new Map<string, number>();

  const pollLimits = (provider: string): Partial<PollLimits> =>
    routes.providers().find((each) => each.provider === provider)?.polls ?? {};
  const pauseKeyOf = ({ provider, key = '' }: Attempt) => `${provider} ${key}`;

  async function refill(provider: string, perMinute: number): Promise<void> {
    const share = Math.ceil(((perMinute * spreadMs) / minuteMs) * shareOfBlock);
    const limit = { key: `polls:${provider}`, kind: 'route', max: Infinity } as const;
    const nowMs = clock.now();
    let left = 0;
    try {
      const rate = { ...limit, startsPerMinute: perMinute, spread: true } as const;
      left = (await slots.reserve(rate, () => share))?.count ?? 0;
    } catch (error) {
      log.warn({ error, provider }, 'failed to reserve turns for polls');
    }
    // Jitter, so that no process always comes too late.
    const askAgainAt = nowMs + spreadMs * shareOfBlock * (0.5 + random.fraction());
    stocks.set(provider, { left, goodUntil: nowMs + spreadMs, askAgainAt });
  }

  return {
    async take(provider, count) {
      const { perMinute = null } = pollLimits(provider);
      if (perMinute === null) return count;
      const isOver = () => {
        const { left = 0, goodUntil = 0, askAgainAt = 0 } = stocks.get(provider) ?? {};
        const nowMs = clock.now();
        return (left === 0 || nowMs > goodUntil) && isDue(askAgainAt, nowMs, spreadMs);
      };
      if (isOver()) {
        const restocking = asking.get(provider) ?? refill(provider, perMinute);
        asking.set(provider, restocking);
        await restocking.finally(() => asking.delete(provider));
      }
      const stock = stocks.get(provider);
      if (!stock || clock.now() > stock.goodUntil) return 0;
      const turns = Math.min(stock.left, count);
      stock.left -= turns;
      return turns;
    },
    isRated: (provider) => (pollLimits(provider).perMinute ?? null) !== null,
    pausedUntil: (attempt) => (attempt && pauses.get(pauseKeyOf(attempt))) ?? 0,
    nextAt({ attempts, deadlineAt }, result, plannedAt) {
      const attempt = attempts.at(-1);
      if (!attempt || attempt.arrived) return plannedAt;
      const nowMs = clock.now();
      const retryAfterMs = ('retryAfterMs' in result && result.retryAfterMs) || 0;
      const status = 'response' in result ? result.response.status : undefined;
      if (retryAfterMs > 0 && pausingStatuses.includes(status)) {
        pauses.set(pauseKeyOf(attempt), nowMs + retryPauseMs(retryAfterMs));
      }
      const limits = pollLimits(attempt.provider);
      return nextPollAt({ plannedAt, deadlineAt }, limits, retryAfterMs, nowMs);
    },
    firstAt: (attempt, plannedAt, deadlineAt) =>
      nextPollAt({ plannedAt, deadlineAt }, pollLimits(attempt?.provider ?? ''), 0, clock.now()),
  };
}
