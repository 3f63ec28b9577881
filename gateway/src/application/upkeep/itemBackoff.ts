import type { Clock } from '../ports/clock.ts';

/** An item that failed is left alone for this long, doubled each time up to the second, in ms. */
const restMs = { first: 20_000, most: 3_600_000 };
/** Items remembered at most; beyond it the oldest are forgotten, and merely tried sooner. */
const keptAtMost = 10_000;

/** Items that failed, each left alone for a while. */
export interface ItemBackoff {
  rests(id: string): boolean;
  failed(id: string): void;
  succeeded(id: string): void;
}

/** Remembers in this process which items failed. */
export function createItemBackoff(clock: Pick<Clock, 'now'>): ItemBackoff {
  const failures = new Map<string, { count: number; until: number }>();
  return {
    rests: (id) => (failures.get(id)?.until ?? 0) > clock.now(),
    failed(id) {
      const count = (failures.get(id)?.count ?? 0) + 1;
      const ms = Math.min(restMs.most, restMs.first * 2 ** (count - 1));
      failures.delete(id);
      failures.set(id, { count, until: clock.now() + ms });
      if (failures.size <= keptAtMost) return;
      const [oldest] = failures.keys();
      if (oldest !== undefined) failures.delete(oldest);
    },
    succeeded: (id) => void failures.delete(id),
  };
}
