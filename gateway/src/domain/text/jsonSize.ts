/** The size of the scanned part of a JSON text. */
export interface JsonSize {
  /** Names and values together: the work of parsing and walking the text. */
  parts: number;
  /** Names, counting repeated ones. */
  names: number;
  /** Deepest nesting; a flat object has 1. */
  depth: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** Kinds of bytes outside strings, by value; any other byte belongs to a number or a literal. */
const inside = 0;
const separator = 1;
const opening = 2;
const closing = 3;
const kinds = new Uint8Array(256).fill(inside);
for (const byte of Buffer.from(' \t\n\r,:"')) kinds[byte] = separator;
for (const byte of Buffer.from('[{')) kinds[byte] = opening;
for (const byte of Buffer.from(']}')) kinds[byte] = closing;

/**
 * Measures a JSON text in UTF-8 without parsing it, and stops at the first bound that it exceeds. The figures
 * are exact for valid JSON; for other texts they only show which bound is exceeded first.
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
    } else if (byte === colon) {
      names += 1;
    } else if (kind === closing) {
      level -= 1;
    } else if (kind === opening) {
      parts += 1;
      level += 1;
      depth = Math.max(depth, level);
    }
    last = kind;
  }
  return { parts, names, depth };
}

/** The index of the quote that ends the string starting at `start`, or past the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  return at;
}
