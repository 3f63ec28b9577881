import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRandom } from '../adapters/system/random.ts';
import { formatApiKey, isApiKey } from './apiKey.ts';
import { formatId, isId, shardOf, shardPosition } from './ids.ts';

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

describe('shards of ids', () => {
  const account = 'acct_01kb1g5x2m7zq4d8w1s6n0hrv9';

  test('are the three letters after the time', () => {
    expect(shardOf(account)).toBe('7zq');
    const id = formatId('gen', 1_764_000_000_000, new Uint8Array(10).fill(255), shardOf(account));
    expect(id).toBe('gen_01kav9ft007zqzzzzzzzzzzzzz');
  });

  test('pass from an account to its generations, whose ids keep their form and still differ', () => {
    fc.assert(
      fc.property(moment, moment, tenBytes, tenBytes, (opened, created, own, random) => {
        const accountId = formatId('acct', opened, own);
        const id = formatId('gen', created, random, shardOf(accountId));
        expect(isId('gen', id)).toBe(true);
        expect(shardOf(id)).toBe(shardOf(accountId));
        expect(id.slice(-13)).toBe(formatId('gen', created, random).slice(-13));
      }),
    );
  });

  test('leave the order by time', () => {
    fc.assert(
      fc.property(moment, moment, tenBytes, tenBytes, (a, b, first, second) => {
        fc.pre(a < b);
        const [one, other] = [first, second].map((random) => shardOf(formatId('acct', 0, random)));
        expect(formatId('gen', a, first, one) < formatId('gen', b, second, other)).toBe(true);
      }),
    );
  });

  test('sort by their position, from 0 to below 1', () => {
    expect([shardPosition('000'), shardPosition('g00')]).toEqual([0, 0.5]);
    const shards = tenBytes.map((random) => shardOf(formatId('acct', 0, random)));
    fc.assert(
      fc.property(shards, shards, (a, b) => {
        expect(shardPosition(a) < 1).toBe(true);
        expect(shardPosition(a) < shardPosition(b)).toBe(a < b);
      }),
    );
  });

  test('are evenly distributed, whatever the time', () => {
    const parts = 16;
    const size = 1_000;
    const random = createRandom({ now: () => 1_764_000_000_000 });
    const found = Array.from({ length: parts * size }, () => shardOf(random.newId('acct')));
    const byPart = Map.groupBy(found, (shard) => Math.floor(shardPosition(shard) * parts));
    const counts = Array.from({ length: parts }, (_, part) => byPart.get(part)?.length ?? 0);
    // Six standard deviations, which a sound source exceeds once in millions of runs.
    const most = 6 * Math.sqrt(size);
    expect(counts.filter((count) => Math.abs(count - size) > most)).toEqual([]);
  });

  test.each(['acct_1', '', 'gen_', account.toUpperCase()])('%j has none', (text) => {
    expect(() => shardOf(text)).toThrow(RangeError);
  });

  test('come with the ids that the system makes', () => {
    const random = createRandom({ now: () => 1_764_000_000_000 });
    const accountId = random.newId('acct');
    const id = random.newGenerationId(accountId);
    expect([isId('gen', id), shardOf(id)]).toEqual([true, shardOf(accountId)]);
    expect(random.newGenerationId(accountId)).not.toBe(id);
  });
});

describe('API keys', () => {
  const key = formatApiKey(new Uint8Array(32).map((_, index) => index * 7));

  test('have the live prefix, 32 characters and a checksum of 6', () => {
    expect(key).toMatch(/^fg_live_[0-9A-Za-z]{38}$/);
    expect(isApiKey(key)).toBe(true);
  });

  test('any one changed character is noticed', () => {
    for (let index = 8; index < key.length; index += 1) {
      const other = key[index] === 'x' ? 'y' : 'x';
      expect(isApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  test('need enough random bytes', () => {
    expect(() => formatApiKey(new Uint8Array(32).fill(255))).toThrow(RangeError);
  });
});
