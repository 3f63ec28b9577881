/** What of a file an answer holds: all of it, one part (both ends included), or nothing there is. */
export type ByteRange = 'whole' | 'unsatisfiable' | { start: number; end: number };

/**
 * Reads a Range header (RFC 9110 section 14): one range of bytes. Several ranges, other units and what
 * cannot be read are ignored, which that section allows: the answer is the whole file then.
 * @param size Of the file, in bytes.
 */
export function parseRange(header: string, size: number): ByteRange {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/.exec(header.trim());
  if (!match) return 'whole';
  const [, first, last, suffix] = match;
  if (first === undefined) {
    const wanted = Number(suffix);
    if (wanted === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - wanted), end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
}
