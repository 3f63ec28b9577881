/** Maximum kept parts of a file: a valid one has a few dozen. */
const maxParts = 10_000;

/**
 * Adds a range of a file to the kept ranges; adjacent ranges become one.
 * @throws Error for more parts than any valid file has.
 */
export function appendRange(parts: Buffer[], bytes: Buffer, start: number, end: number): void {
  const last = parts.at(-1);
  const from = last?.buffer === bytes.buffer ? last.byteOffset - bytes.byteOffset : -1;
  if (last && from >= 0 && from + last.length === start) {
    parts[parts.length - 1] = bytes.subarray(from, end);
  } else if (parts.push(bytes.subarray(start, end)) > maxParts) {
    throw new Error(`more than ${maxParts} parts`);
  }
}
