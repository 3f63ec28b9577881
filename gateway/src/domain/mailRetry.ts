const firstMs = 10_000;
const mostMs = 600_000;

/**
 * When a mail that could not be sent is tried again: after ten seconds, doubled with each try up to ten
 * minutes, give or take a quarter.
 * @param tries That have failed, at least 1.
 * @param fraction 0 to below 1, by chance.
 * @returns ms since the epoch; null when the mail would come too late to be of use.
 */
export function nextMailTry(
  { tries, validUntil }: { tries: number; validUntil: number },
  nowMs: number,
  fraction: number,
): number | null {
  const delay = Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 10));
  const at = nowMs + Math.round(delay * (0.75 + fraction / 2));
  return at < validUntil ? at : null;
}
