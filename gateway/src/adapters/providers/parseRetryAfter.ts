/**
 * The `Retry-After` of an answer in ms; null when it has none. A time of day is compared with the answer's
 * own `Date`, so that this machine's clock does not matter (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(headers: { get(name: string): string | null }): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Za-z]{3}/.test(value)) return null;
  const waitMs = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}
