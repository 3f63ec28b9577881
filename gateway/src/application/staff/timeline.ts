import type { EndedPoint } from '../ports/staffQueries.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Ranges of the console's charts: how many steps, and how long each is, in ms. */
export const ranges = {
  hour: { steps: 60, stepMs: minuteMs },
  day: { steps: 24, stepMs: hourMs },
  week: { steps: 28, stepMs: 6 * hourMs },
  month: { steps: 30, stepMs: dayMs },
} as const;

/** A name of a range. */
export type RangeName = keyof typeof ranges;

/** The first moments of a range's steps, the oldest first, in ms since the epoch; the last one is under way. */
export function stepsOf(range: RangeName, now: number): number[] {
  const { steps, stepMs } = ranges[range];
  const last = Math.floor(now / stepMs) * stepMs;
  return Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * stepMs);
}

/** The ends of each step. */
export function endsByStep(
  ends: readonly EndedPoint[],
  steps: readonly number[],
  { stepMs }: { stepMs: number },
): EndedPoint[][] {
  const first = steps[0] ?? 0;
  const groups = Map.groupBy(ends, ({ endedAt }) => Math.floor((endedAt - first) / stepMs));
  return steps.map((_, index) => groups.get(index) ?? []);
}

/** Counts of each step by name, the most frequent name first. */
export function countByName(
  groups: readonly (readonly EndedPoint[])[],
  nameOf: (end: EndedPoint) => string | null,
): { name: string; values: number[] }[] {
  const names = new Map<string, number>();
  for (const end of groups.flat()) {
    const name = nameOf(end);
    if (name !== null) names.set(name, (names.get(name) ?? 0) + 1);
  }
  const sorted = [...names].sort((a, b) => b[1] - a[1]);
  return sorted.map(([name]) => ({
    name,
    values: groups.map((group) => group.filter((end) => nameOf(end) === name).length),
  }));
}

/** Seconds within which this part of the completed ones of each step ended; null where none did. */
export function percentiles(
  groups: readonly (readonly EndedPoint[])[],
  part: number,
): (number | null)[] {
  return groups.map((group) => {
    const seconds = group
      .filter(({ status }) => status === 'completed')
      .map(({ createdAt, endedAt }) => (endedAt - createdAt) / 1000)
      .toSorted((a, b) => a - b);
    return seconds[Math.ceil(part * seconds.length) - 1] ?? null;
  });
}

/** How many were unfinished at the end of each step, of these ends and of those open now. */
export function depths(
  ends: readonly EndedPoint[],
  openSince: readonly number[],
  steps: readonly number[],
  { stepMs, now }: { stepMs: number; now: number },
): number[] {
  return steps.map((step) => {
    const at = Math.min(step + stepMs, now);
    const closed = ends.filter(({ createdAt, endedAt }) => createdAt <= at && endedAt > at);
    return closed.length + openSince.filter((createdAt) => createdAt <= at).length;
  });
}
