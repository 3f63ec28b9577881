import { AsyncLocalStorage } from 'node:async_hooks';

interface WaitingItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Size and number of shared calls. */
export interface SharingLimits<Item = unknown> {
  /** Maximum items per call. */
  maxItems: number;
  /** Maximum calls at a time. */
  maxCalls: number;
  /** Minimum waiting items for another call while one is running (1). */
  minForAnother?: number;
  /** Time after which a running call no longer delays items, in ms (none). */
  slowMs?: number;
  /** Weight of an item (0), and the maximum weight of a call with several items (none). */
  weightOf?: (item: Item) => number;
  maxWeight?: number;
}

/**
 * Shares a costly call: items that arrive while no further call may begin are passed together to the next one. A
 * single item waits only for the end of this turn of the event loop.
 * @param call Handles at most `maxItems` items and returns a result for each, in order. Its error applies to all of
 * them.
 */
export function shareCalls<Item, Result>(
  {
    maxItems,
    maxCalls,
    minForAnother = 1,
    slowMs,
    weightOf = () => 0,
    maxWeight = Infinity,
  }: SharingLimits<Item>,
  call: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: WaitingItem<Item, Result>[] = [];
  let underWay = 0;
  let slow = 0;

  const isDue = (others: number) => waiting.length >= (others > slow ? minForAnother : 1);

  function beginIfDue(): void {
    if (underWay >= maxCalls || !isDue(underWay)) return;
    underWay += 1;
    setImmediate(() => {
      void callNext();
    });
  }

  function takeBatch(): WaitingItem<Item, Result>[] {
    let weight = 0;
    const end = waiting.findIndex(({ item }, index) => {
      weight += weightOf(item);
      return index > 0 && (index >= maxItems || weight > maxWeight);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function callNext(): Promise<void> {
    // Another call of this turn may have taken the items.
    if (!isDue(underWay - 1)) {
      underWay -= 1;
      return;
    }
    const batch = takeBatch();
    const own = { isSlow: false };
    const becomeSlow = () => {
      own.isSlow = true;
      slow += 1;
      beginIfDue();
    };
    const timer = slowMs === undefined ? undefined : setTimeout(becomeSlow, slowMs);
    try {
      const results = await call(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    clearTimeout(timer);
    if (own.isSlow) slow -= 1;
    underWay -= 1;
    beginIfDue();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      beginIfDue();
    });
}

/** Items that wait for their time. */
export interface SharedTimers<Item> {
  add(item: Item, inMs: number): void;
  /** Forgets all items. */
  clear(): void;
}

/**
 * Makes timers that items due within `tickMs` share, because a separate one for each takes memory. They do not keep the
 * process alive, and do not carry the asynchronous context in which they are set, which may be another item's.
 * @param act Called with the items of one timer, in the order in which they came.
 */
export function shareTimers<Item>(
  tickMs: number,
  act: (items: readonly Item[]) => void,
): SharedTimers<Item> {
  const ticks = new Map<number, { items: Item[]; timer: NodeJS.Timeout }>();
  const inOwnContext = AsyncLocalStorage.snapshot();

  function begin(tick: number, inMs: number): Item[] {
    const items: Item[] = [];
    const end = () => {
      ticks.delete(tick);
      act(items);
    };
    ticks.set(tick, { items, timer: inOwnContext(() => setTimeout(end, inMs).unref()) });
    return items;
  }

  return {
    add(item, inMs) {
      const nowMs = process.uptime() * 1000;
      const tick = Math.ceil((nowMs + Math.max(0, inMs)) / tickMs);
      const items = ticks.get(tick)?.items ?? begin(tick, tick * tickMs - nowMs);
      items.push(item);
    },
    clear() {
      for (const { timer } of ticks.values()) clearTimeout(timer);
      ticks.clear();
    },
  };
}
