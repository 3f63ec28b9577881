/**
 * How long a server asks to be left alone, in ms; null where it does not say. A time of day is held
 * against the answer's own Date, so that nobody's clock matters (RFC 9110, 10.2.3).
 */
export function readRetryAfter(headers: { get(name: string): string | null }): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Za-z]{3}/.test(value)) return null;
  const waitMs = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}
