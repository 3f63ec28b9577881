import type { HistoryItem } from '../../../../application/ports/generations.ts';

/** Fields by which generations of one order are recognised. */
type OrderedItem = Pick<HistoryItem, 'id' | 'channel' | 'requestId' | 'prompt'>;

const setOf = ({ id, channel, requestId, prompt }: OrderedItem) =>
  channel === 'pc' ? `${requestId} ${prompt}` : id;

/** Puts generations together that were ordered as one set; the others are sets of one. Keeps their order. */
export function inSets<T extends OrderedItem>(items: readonly T[]): [T, ...T[]][] {
  return [...Map.groupBy(items, setOf).values()].flatMap(([first, ...others]) =>
    first ? [[first, ...others]] : [],
  );
}
