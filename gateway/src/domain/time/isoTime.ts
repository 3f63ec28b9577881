/** A time in ms since the epoch as ISO 8601 in UTC, such as `2026-01-31T12:00:00.000Z`. */
export const isoTime = (ms: number) => new Date(ms).toISOString();

/** A time as ISO 8601 in UTC; null for no time. */
export const isoTimeOrNull = (ms: number | null) => (ms === null ? null : isoTime(ms));
