import { Refusal } from '../domain/refusal.ts';

/** Levels of nesting that are looked at; a lawful body has three. */
const depthMax = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the bytes of a body into an object. Of a name given twice the last one counts, as with any
 * JSON.parse. An array or a scalar is refused like broken JSON: no call of this API takes one.
 * @throws Refusal `invalid_json` for an empty body, invalid UTF-8 or JSON, a value that is no object,
 * a name `__proto__`, and nesting that would exhaust what walks over the body later.
 */
export function parseJsonObject(bytes: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlain(value, 1)) {
    throw new Refusal('invalid_json');
  }
  return value;
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > depthMax || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isPlain(member, depth + 1));
}
