import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue } from '@framegate/contract';
import { soldAt, successionProblems, versionAfter, versionAt } from './catalogue.ts';

const version = (number: number, from: number) => ({ number, from });

describe('the version in force', () => {
  test('is the newest that has begun', () => {
    const versions = [version(1, 0), version(2, 100), version(3, 50)];
    expect([49, 50, 99, 100, 200].map((nowMs) => versionAt(versions, nowMs)?.number)).toEqual([
      1, 3, 3, 3, 3,
    ]);
    expect(versionAt([], 5)).toBeNull();
  });

  test('is followed by the next change, which a newer version may have cancelled', () => {
    const versions = [version(1, 0), version(2, 100), version(3, 50)];
    expect(versionAfter(versions, 10)?.number).toBe(3);
    expect(versionAfter(versions, 60)).toBeNull();
    expect(versionAfter([version(1, 0), version(2, 100)], 10)?.number).toBe(2);
  });

  test('changes to the announced one at its time, whatever was published', () => {
    const froms = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 8 });
    fc.assert(
      fc.property(froms, fc.integer({ min: 0, max: 50 }), (times, nowMs) => {
        const versions = [version(1, 0), ...times.map((from, i) => version(i + 2, from))];
        const next = versionAfter(versions, nowMs);
        if (next === null) {
          expect(versionAt(versions, 1000)).toEqual(versionAt(versions, nowMs));
          return;
        }
        expect(versionAt(versions, next.from)).toEqual(next);
        expect(versionAt(versions, next.from - 1)).toEqual(versionAt(versions, nowMs));
      }),
    );
  });
});

describe('models that were sold', () => {
  const retired = catalogue.map((model) =>
    model.id === 'beta-3.0' ? { ...model, sunsetAt: '2026-06-01T00:00:00.000Z' } : model,
  );
  const sunset = Date.parse('2026-06-01');

  test('are gone from their sunset on', () => {
    expect(soldAt(retired, sunset - 1)).toBe(retired);
    expect(soldAt(retired, sunset).map(({ id }) => id)).not.toContain('beta-3.0');
  });

  test('keep their entry and type, and do not come back', () => {
    const before = { models: retired };
    const after = (models: typeof retired) =>
      successionProblems(before, { models, groups: {} }, sunset);
    expect(after(retired)).toEqual([]);
    expect(after(retired.slice(1))).toEqual([
      expect.stringContaining('models["alpha-2.5"] is missing'),
    ]);
    expect(after([...catalogue])).toEqual([
      expect.stringContaining('models["beta-3.0"].sunset_at must be "2026-06-01'),
    ]);
  });
});
