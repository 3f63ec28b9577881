import { AsyncLocalStorage } from 'node:async_hooks';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Shares a costly call: items that arrive while `atOnce` calls are running are passed together to the next one. A
 * single item waits only for the end of this turn of the event loop.
 * @param call Handles at most `max` items and returns a result for each, in order. Its error applies to all of them.
 */
export function shareCalls<Item, Result>(
  { max, atOnce }: { max: number; atOnce: number },
  call: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;

  function begin(): void {
    underWay += 1;
    setImmediate(() => {
      void callNext().finally(() => {
        underWay -= 1;
        if (waiting.length > 0) begin();
      });
    });
  }

  async function callNext(): Promise<void> {
    const batch = waiting.slice(0, max);
    waiting = waiting.slice(max);
    if (batch.length === 0) return;
    try {
      const results = await call(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay < atOnce) begin();
    });
}

/** Items that wait for their time. */
export interface SharedTimers<Item> {
  add(item: Item, inMs: number): void;
  /** Forgets all items. */
  clear(): void;
}

/**
 * Makes timers that items due within `tickMs` share, since one for each takes memory of its own. They do not keep the
 * process alive, and carry nothing of the asynchronous context in which they are set, which may be another item's.
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
      const now = process.uptime() * 1000;
      const tick = Math.ceil((now + Math.max(0, inMs)) / tickMs);
      const items = ticks.get(tick)?.items ?? begin(tick, tick * tickMs - now);
      items.push(item);
    },
    clear() {
      for (const { timer } of ticks.values()) clearTimeout(timer);
      ticks.clear();
    },
  };
}
