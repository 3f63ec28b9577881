/** Work that gives way holds the thread for this long at a time, in ms: a request waits for one such stretch. */
const maxStretchMs = 2;

/** A piece of text at which it is sent on, in characters: many small writes cost more than their texts. */
const pieceCharacters = 32_768;

// The thread is one for all callers, so its queue is one as well.
const waiting: (() => void)[] = [];

/**
 * Lets everything else that waits for the thread go first. In each turn of the event loop, one piece of the work that
 * gave way continues.
 */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });
}

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}

/** Passes items on, and gives way whenever the work on them has held the thread for two ms. */
export async function* yieldInStretches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item> {
  let startedAt = performance.now();
  for await (const item of items) {
    yield item;
    if (performance.now() - startedAt < maxStretchMs) continue;
    await giveWay();
    startedAt = performance.now();
  }
}

/** Lists the items of a computation, and gives way whenever that has held the thread for two ms. */
export const listInStretches = <Item>(items: Iterable<Item>): Promise<Item[]> =>
  Array.fromAsync(yieldInStretches(items));

/** Computes a value for each item, and gives way whenever that has held the thread for two ms. */
export const mapInStretches = <Item, Value>(
  items: Iterable<Item>,
  valueOf: (item: Item) => Value,
): Promise<Value[]> => Array.fromAsync(yieldInStretches(items), valueOf);

/** Takes the steps of a computation, and gives way after each. @returns Its result. */
export async function takeSteps<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await giveWay();
  }
}

/** Joins texts to pieces, each of which is made without holding the thread for more than two ms. */
export async function* yieldInPieces(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let piece = '';
  let startedAt = performance.now();
  for await (const text of texts) {
    piece += text;
    const isOver = performance.now() - startedAt >= maxStretchMs;
    if (!isOver && piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
    await giveWay();
    startedAt = performance.now();
  }
  if (piece !== '') yield piece;
}
