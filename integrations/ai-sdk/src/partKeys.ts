import { type CallOptions, presentIn } from './callOptions.ts';

/** The calls into which `ai` has split an order, by the number of images that each requests. */
interface Parts {
  usual: number;
  /** Occupied slots: of running calls, and of those that have made their images. */
  taken: Map<number, Set<number>>;
}

/** A call's own key within its order, and the remedy when the call fails. */
interface PartKey {
  key: string | undefined;
  /** Gives the same key to a repeat of the call. */
  release(): void;
}

/**
 * Distinguishes the calls into which `ai` splits an order for more images than a model makes per call. All of them have
 * the caller's key; with one key for all, the second would be answered with the images of the first. Parts of one order
 * share one headers object; other calls do not.
 */
export function createPartKeys(): (options: CallOptions, count: number) => PartKey {
  const orders = new WeakMap<object, Parts>();
  return ({ headers }, count) => {
    const key = new Headers(presentIn(headers)).get('idempotency-key') ?? undefined;
    if (!headers || key === undefined) return { key, release: () => undefined };
    const parts = orders.get(headers) ?? { usual: count, taken: new Map<number, Set<number>>() };
    orders.set(headers, parts);
    const places = parts.taken.get(count) ?? new Set();
    parts.taken.set(count, places);
    let place = 1;
    while (places.has(place)) place += 1;
    places.add(place);
    const name = count === parts.usual ? place : `rest-${place}`;
    return { key: name === 1 ? key : `${key}-${name}`, release: () => places.delete(place) };
  };
}
