import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseRange } from './byteRange.ts';

describe('readRange of ten bytes', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-4', { start: 2, end: 4 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-99', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=9-', { start: 9, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-20', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=4-2', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0x1-2', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes = 0-1', 'whole'],
    [`bytes=0-${'9'.repeat(30)}`, 'whole'],
  ])('%p', (header, range) => {
    expect(parseRange(header, 10)).toEqual(range);
  });

  test('an empty file has no ranges', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });

  test('a part is always within the file', () => {
    const size = fc.integer({ min: 0, max: 1000 });
    const place = fc.option(fc.integer({ min: 0, max: 1200 }), { nil: '' });
    fc.assert(
      fc.property(size, place, place, (bytes, first, last) => {
        const range = parseRange(`bytes=${first}-${last}`, bytes);
        if (typeof range === 'string') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(bytes);
      }),
    );
  });
});
