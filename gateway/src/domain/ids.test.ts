import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatApiKey, isApiKey } from './accounts/apiKey.ts';
import { formatId, isId } from './ids.ts';

const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('ids', () => {
  test('are the prefix and 26 characters, and are recognised', () => {
    fc.assert(
      fc.property(moment, tenBytes, (at, random) => {
        const id = formatId('gen', at, random);
        expect(id).toMatch(/^gen_[0-9a-hjkmnp-tv-z]{26}$/);
        expect(isId('gen', id)).toBe(true);
        expect(isId('acct', id)).toBe(false);
      }),
    );
  });

  test('sort by time', () => {
    fc.assert(
      fc.property(moment, moment, tenBytes, tenBytes, (a, b, first, second) => {
        fc.pre(a < b);
        expect(formatId('gen', a, first) < formatId('gen', b, second)).toBe(true);
      }),
    );
  });

  test.each(['gen_', 'gen_0', `gen_${'u'.repeat(26)}`, `gen_8${'0'.repeat(25)}`, 'GEN_x'])(
    '%s is not one',
    (text) => {
      expect(isId('gen', text)).toBe(false);
    },
  );
});

describe('API keys', () => {
  const key = formatApiKey(new Uint8Array(32).map((_, index) => index * 7));

  test('have the live prefix, 32 characters and a checksum of 6', () => {
    expect(key).toMatch(/^fg_live_[0-9A-Za-z]{38}$/);
    expect(isApiKey(key)).toBe(true);
  });

  test('any single changed character is detected', () => {
    for (let index = 8; index < key.length; index += 1) {
      const other = key[index] === 'x' ? 'y' : 'x';
      expect(isApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  test('need enough random bytes', () => {
    expect(() => formatApiKey(new Uint8Array(32).fill(255))).toThrow(RangeError);
  });
});
