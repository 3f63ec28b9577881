import { Refusal } from '../domain/refusal.ts';

/** Levels of nesting that are looked at; a lawful body has three. */
const depthMax = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the bytes of a body into an object. An array or a scalar is refused like broken JSON: no call
 * of this API takes one. So is a name given twice, of which every reader takes another one.
 * @throws Refusal `invalid_json` for an empty body, invalid UTF-8 or JSON, a value that is no object,
 * a name `__proto__` or given twice, and nesting that would exhaust what walks over the body later.
 */
export function parseJsonObject(bytes: Uint8Array): object {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_json');
  }
  if (!isPlain(value, 1)) {
    const message = `The body is nested deeper than ${depthMax} levels, or has the name __proto__.`;
    throw new Refusal('invalid_json', { message });
  }
  if (countWrittenNames(text) !== countNames(value)) {
    throw new Refusal('invalid_json', { message: 'A name is given twice in one JSON object.' });
  }
  return value;
}

/** Strings of a JSON text, each with the colon behind it where it is a name. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*(:?)/gs;

/** Names as they are written; the parsed value has fewer where one is written twice. */
function countWrittenNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon === ':') count += 1;
  return count;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countNames(member), own);
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > depthMax || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isPlain(member, depth + 1));
}
