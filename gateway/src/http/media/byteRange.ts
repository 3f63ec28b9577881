/** Requested part of a file; `start` and `end` are inclusive byte positions. */
export type ByteRange = 'whole' | 'unsatisfiable' | { start: number; end: number };

/**
 * Parses a Range header with one byte range (RFC 9110 section 14). As that section permits, multiple ranges,
 * other units and invalid values are ignored and yield the whole file.
 * @param size Size of the file, in bytes.
 */
export function parseRange(header: string, size: number): ByteRange {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/.exec(header.trim());
  if (!match) return 'whole';
  const [, first, last, suffix] = match;
  if (first === undefined) {
    const length = Number(suffix);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
}
