const grouped = new Intl.NumberFormat('en-US');
const dateWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const timeWords = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Credits as people read them: `1,234`. */
export function formatCredits(credits: number): string {
  return grouped.format(credits);
}

/** The day of a time, in ms since the epoch. */
export function formatDate(ms: number): string {
  return dateWords.format(ms);
}

/** Day and time, UTC. */
export function formatTime(ms: number): string {
  return `${timeWords.format(ms)} UTC`;
}

/** A time for machines. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Seconds as people say them. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
