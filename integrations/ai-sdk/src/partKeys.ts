import { presentIn, type CallOptions } from './callOptions.ts';

/** The calls of one order that `ai` has split, by the number of images that each asks for. */
interface Parts {
  usual: number;
  /** Places that are taken: by calls under way, and by those that have made their images. */
  taken: Map<number, Set<number>>;
}

/** A call's own key within its order, and the step to take when the call fails. */
interface PartKey {
  key: string | undefined;
  /** Lets a repeat of the call have the same key. */
  release(): void;
}

/**
 * Tells the calls apart into which `ai` splits an order of more images than a model makes at once. All of
 * them have the caller's key; with one key for all, the second would be answered with the images of the
 * first. They share one object of headers, and calls that are no parts of one order do not.
 */
export function createPartKeys(): (options: CallOptions, count: number) => PartKey {
  const orders = new WeakMap<object, Parts>();
  return ({ headers }, count) => {
    const key = new Headers(presentIn(headers)).get('idempotency-key') ?? undefined;
    if (!headers || key === undefined) return { key, release: () => undefined };
    const parts = orders.get(headers) ?? { usual: count, taken: new Map<number, Set<number>>() };
    orders.set(headers, parts);
    const taken = parts.taken.get(count) ?? new Set();
    parts.taken.set(count, taken);
    let place = 1;
    while (taken.has(place)) place += 1;
    taken.add(place);
    const name = count === parts.usual ? place : `rest-${String(place)}`;
    return { key: name === 1 ? key : `${key}-${name}`, release: () => taken.delete(place) };
  };
}
