/** How much a JSON text holds, as far as it was scanned. */
export interface JsonSize {
  /** Names and values together, which is the work of parsing the text and of walking over it. */
  parts: number;
  /** Names as they are written, also those written twice. */
  names: number;
  /** The deepest nesting; a plain object has 1. */
  depth: number;
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
/** Kinds of bytes outside of strings, by value; any other byte belongs to a number or a literal. */
const [inside, separator, opening, closing] = [0, 1, 2, 3];
const kinds = new Uint8Array(256).fill(inside);
for (const byte of Buffer.from(' \t\n\r,:"')) kinds[byte] = separator;
for (const byte of Buffer.from('[{')) kinds[byte] = opening;
for (const byte of Buffer.from(']}')) kinds[byte] = closing;

/**
 * Scans a JSON text in UTF-8 for its size without parsing it, and stops at the first bound that it breaks.
 * The figures are right for valid JSON; of any other text they say only which bound it breaks first.
 */
export function measureJson(
  text: Uint8Array,
  { maxParts, maxDepth }: { maxParts: number; maxDepth: number },
): JsonSize {
  let [parts, names, depth, level, last] = [0, 0, 0, 0, separator];
  for (let at = 0; at < text.length && parts <= maxParts && depth <= maxDepth; at += 1) {
    const byte = text[at] ?? 0;
    const kind = kinds[byte] ?? inside;
    if (kind === inside) {
      if (last !== inside) parts += 1;
    } else if (byte === quote) {
      parts += 1;
      at = endOfString(text, at);
    } else if (byte === colon) names += 1;
    else if (kind === closing) level -= 1;
    else if (kind === opening) {
      parts += 1;
      level += 1;
      depth = Math.max(depth, level);
    }
    last = kind;
  }
  return { parts, names, depth };
}

/** Where a string that begins at `start` ends: at its quote, or past the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  return at;
}
