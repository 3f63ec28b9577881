/**
 * The positions after `from` given during one life of the database, up to the `from` of the next epoch. A restore from
 * a backup begins another epoch, so that a repeated position can be told from the lost one.
 */
export interface FeedEpoch {
  id: string;
  from: number;
}

/** The counter of the feed: the last position, and the epochs, oldest first. */
export interface FeedCounter {
  last: number;
  epochs: readonly FeedEpoch[];
}

/** A position and its epoch; position 0, the start, belongs to none. */
export interface FeedPoint {
  epoch: string | null;
  position: number;
}

/** Maximum epochs kept. Cursors of older ones are read again from the start. */
const maxEpochs = 100;

/** The point before the first position. */
export const feedStart: FeedPoint = { epoch: null, position: 0 };

/** The counter of a feed that has given no position yet. */
export const emptyCounter: FeedCounter = { last: 0, epochs: [] };

/** The end of the feed, in the newest epoch even if that has given no position yet. */
export function newestPoint({ last, epochs }: FeedCounter): FeedPoint {
  return { epoch: epochs.at(-1)?.id ?? null, position: last };
}

/** A given position, in the epoch that gave it: it names one item permanently. */
export function pointAt({ epochs }: FeedCounter, position: number): FeedPoint {
  if (position === 0) return feedStart;
  const epoch = epochs.findLast(({ from }) => from < position) ?? epochs[0];
  return { epoch: epoch?.id ?? null, position };
}

/** A given position in the epoch in which it was read, so that readers behind it also learn of a later restore. */
export function pointInNewestEpoch(counter: FeedCounter, position: number): FeedPoint {
  return position === 0 ? feedStart : { ...newestPoint(counter), position };
}

/**
 * Where a reader that has reached `place` continues after a restore: at its own position, or at the end of its epoch if
 * that comes first, or at the start if its epoch is unknown. Null if its epoch is the newest. Readers behind the backup
 * are included, because writes since the backup may be lost.
 */
export function restorePoint(counter: FeedCounter, point: FeedPoint): FeedPoint | null {
  const { last, epochs } = counter;
  if (point.position === 0) return null;
  const index = epochs.findIndex(({ id }) => id === point.epoch);
  if (index < 0) return feedStart;
  const next = epochs[index + 1];
  if (!next && point.position <= last) return null;
  return pointInNewestEpoch(counter, Math.min(point.position, next?.from ?? last));
}

/** Whether the counter was set back behind an earlier `newestPoint` without a new epoch. */
export function isSetBack({ last, epochs }: FeedCounter, knownPoint: FeedPoint): boolean {
  if (knownPoint.epoch === null) return false;
  if (epochs.at(-1)?.id === knownPoint.epoch) return knownPoint.position > last;
  return epochs.every(({ id }) => id !== knownPoint.epoch);
}

/** Begins an epoch at the last position. */
export function beginEpoch({ last, epochs }: FeedCounter, id: string): FeedCounter {
  return { last, epochs: [...epochs, { id, from: last }].slice(-maxEpochs) };
}

/** Whether the newest epoch was begun by a restore and has given no position yet. */
export function isEpochUnused({ last, epochs }: FeedCounter): boolean {
  return epochs.length > 1 && epochs.at(-1)?.from === last;
}

/**
 * Gives the next `count` positions; first begins an epoch if there is none or the counter was set back.
 * @param knownPoint The newest known point.
 * @returns The same counter if nothing changes.
 */
export function advance(
  counter: FeedCounter,
  { count, knownPoint, newId }: { count: number; knownPoint: FeedPoint; newId: () => string },
): FeedCounter {
  const needsEpoch = isSetBack(counter, knownPoint) || (count > 0 && counter.epochs.length === 0);
  const begun = needsEpoch ? beginEpoch(counter, newId()) : counter;
  return count === 0 ? begun : { ...begun, last: begun.last + count };
}

/** A point as text; `parsePoint` reads it. */
export function formatPoint({ epoch, position }: FeedPoint): string {
  return position === 0 ? '0' : `${epoch ?? ''} ${position}`;
}

/** Null if the text is not a point. */
export function parsePoint(text: string): FeedPoint | null {
  if (text === '0') return feedStart;
  const [, epoch, position] = /^([0-9a-f]{12}) ([1-9]\d{0,14})$/.exec(text) ?? [];
  return epoch === undefined ? null : { epoch, position: Number(position) };
}
