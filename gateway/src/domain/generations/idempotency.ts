import { createHash } from 'node:crypto';

/** A parsed Idempotency-Key header. */
export type KeyHeader = { ok: true; key: string } | { ok: false; problem: 'missing' | 'invalid' };

/**
 * Parses an Idempotency-Key header: 1 to 255 visible ASCII characters, bare or in double quotes (an RFC 8941
 * string); both forms give the same key. An empty key counts as missing.
 */
export function parseIdempotencyKey(header: string | undefined): KeyHeader {
  const text = header?.trim() ?? '';
  const quoted = /^"(.*)"$/s.exec(text);
  const key = quoted?.[1] === undefined ? text : quoted[1].replace(/\\(["\\])/g, '$1');
  if (key === '') return { ok: false, problem: 'missing' };
  return /^[\x21-\x7e]{1,255}$/.test(key) ? { ok: true, key } : { ok: false, problem: 'invalid' };
}

/** The scope within which a key is unique: account, method, path and key. Unaffected by the rotation of API keys. */
export function idempotencyScope(accountId: string, path: string, key: string): string {
  return `${accountId} POST ${path} ${key}`;
}

/** The account of a scope. */
export const accountOfScope = (scope: string): string => scope.slice(0, scope.indexOf(' '));

/** JSON with sorted object keys, so that equal bodies give equal text regardless of the order of fields. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** SHA-256, in hex, over the canonical JSON of the body as sent. */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}
