/** The UTC month of a time (ms since the epoch), counted from the year 0. */
export function monthNumberOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The name of a month by its number, such as `2026-11`. */
export const formatMonth = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;

/** End of a time's UTC month, in ms since the epoch. */
export function endOfMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
