interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Shares a costly call: items that arrive while `atOnce` calls are running are passed together to the next one. A
 * single item waits only for the end of this turn of the event loop.
 * @param call Handles at most `most` items and returns a result for each, in order. Its error applies to all of them.
 */
export function shareCalls<Item, Result>(
  { most, atOnce }: { most: number; atOnce: number },
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
    const batch = waiting.slice(0, most);
    waiting = waiting.slice(most);
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
