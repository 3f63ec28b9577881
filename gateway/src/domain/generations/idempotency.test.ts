import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, fingerprintOf, parseIdempotencyKey } from './idempotency.ts';

describe('the Idempotency-Key header', () => {
  test.each([
    ['order-7', 'order-7'],
    ['"order-7"', 'order-7'],
    [' order-7 ', 'order-7'],
    [String.raw`"a\"b"`, 'a"b'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('%s is the key %s', (header, key) => {
    expect(parseIdempotencyKey(header)).toEqual({ ok: true, key });
  });

  test.each([undefined, '', '  ', '""'])('%j counts as missing', (header) => {
    expect(parseIdempotencyKey(header)).toEqual({ ok: false, problem: 'missing' });
  });

  test.each(['a b', 'ключ', 'x'.repeat(256), 'tab\tbed', '"a b"'])('%j is invalid', (header) => {
    expect(parseIdempotencyKey(header)).toEqual({ ok: false, problem: 'invalid' });
  });
});

describe('the fingerprint of a body', () => {
  test('does not depend on the order of members', () => {
    expect(fingerprintOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(
      fingerprintOf({ b: { d: null, c: [1, 2] }, a: 1 }),
    );
  });

  test('differs for other values, other types, other order of elements', () => {
    const bodies = [{ a: 1 }, { a: '1' }, { a: [1, 2] }, { a: [2, 1] }, { a: true }, { b: 1 }, {}];
    expect(new Set(bodies.map(fingerprintOf)).size).toBe(bodies.length);
  });

  test('canonical JSON means the same as the JSON it stands for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
