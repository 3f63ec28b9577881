import { hourMs } from '@framegate/contract';
import { type Backoff, backoffMs } from '../domain/time/backoff.ts';
import type { Clock } from './ports/system.ts';

/** How long failed items are paused. */
interface BackoffOptions extends Backoff {
  /** Number of failures without a pause. */
  freeFailures?: number;
  /** After this long without a failure, in ms, an item starts from the first pause again. */
  forgottenMs?: number;
}

/** The pace of upkeep: a failed item is soon retried, and one that always fails only once an hour. */
const defaultPace: BackoffOptions = { firstMs: 20_000, maxMs: hourMs };
/** Maximum number of remembered items; the oldest are forgotten, which only means an earlier retry. */
const maxItems = 10_000;

/** Failed items, each of which pauses for a while. */
interface ItemBackoff {
  isPaused(id: string): boolean;
  /** End of its pause, in ms since the epoch; 0 without one. */
  pausedUntil(id: string): number;
  recordFailure(id: string): void;
  recordSuccess(id: string): void;
}

/** Remembers failed items in this process. */
export function createItemBackoff(
  clock: Pick<Clock, 'now'>,
  { freeFailures = 0, forgottenMs = Infinity, ...pace }: BackoffOptions = defaultPace,
): ItemBackoff {
  const failures = new Map<string, { count: number; at: number; until: number }>();
  const pausedUntil = (id: string) => {
    const until = failures.get(id)?.until ?? 0;
    return until > clock.now() ? until : 0;
  };
  return {
    pausedUntil,
    isPaused: (id) => pausedUntil(id) > 0,
    recordFailure(id) {
      const at = clock.now();
      const earlier = failures.get(id);
      const isRecent = earlier !== undefined && at - earlier.at < forgottenMs;
      const count = (isRecent ? earlier.count : 0) + 1;
      const pauses = count - freeFailures;
      const until = pauses > 0 ? at + backoffMs(pace, pauses) : 0;
      failures.delete(id);
      failures.set(id, { count, at, until });
      if (failures.size <= maxItems) return;
      const [oldest] = failures.keys();
      if (oldest !== undefined) failures.delete(oldest);
    },
    recordSuccess: (id) => void failures.delete(id),
  };
}
