/** Starts that are counted together, and in which time in ms: any such time has no more than the limit. */
const [slotMs, windowMs] = [1_000, 60_000];

/** How many were started, by the second (since the epoch, as text). */
export type Starts = Readonly<Record<string, number>>;

/** The slot that starts at this moment are counted in. */
export function slotOf(nowMs: number): string {
  return String(Math.floor(nowMs / slotMs));
}

/** How many may still be started at this moment. */
export function startsLeft(starts: Starts, perMinute: number, nowMs: number): number {
  const used = Object.values(recent(starts, nowMs)).reduce((sum, count) => sum + count, 0);
  return Math.max(0, perMinute - used);
}

/** The starts with further ones at this moment, without those that count no more. */
export function withStarts(starts: Starts, count: number, nowMs: number): Starts {
  const slot = slotOf(nowMs);
  const kept = recent(starts, nowMs);
  return { ...kept, [slot]: (kept[slot] ?? 0) + count };
}

function recent(starts: Starts, nowMs: number): Starts {
  const first = Math.floor((nowMs - windowMs) / slotMs);
  return Object.fromEntries(Object.entries(starts).filter(([slot]) => Number(slot) >= first));
}
