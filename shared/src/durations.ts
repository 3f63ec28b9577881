/** A minute, in ms. */
export const minuteMs = 60_000;
/** An hour, in ms. */
export const hourMs = 60 * minuteMs;
/** A day, in ms; UTC has no daylight saving time, and these days ignore leap seconds. */
export const dayMs = 24 * hourMs;
