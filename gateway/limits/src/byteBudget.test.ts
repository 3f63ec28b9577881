import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createByteBudget, type Hold } from './byteBudget.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Takes bytes, and notes when it got them. */
function taker(hold: Hold, name: string, log: string[]) {
  return (bytes: number) =>
    hold.take(bytes).then(
      () => void log.push(name),
      () => void log.push(`${name} ended`),
    );
}

test('holds without room wait, oldest first, and one may exceed the budget', async () => {
  const budget = createByteBudget(100);
  const log: string[] = [];
  const [a, b, c] = [budget.open(), budget.open(), budget.open()];
  const [takeA, takeB, takeC] = [taker(a, 'a', log), taker(b, 'b', log), taker(c, 'c', log)];
  void takeA(60);
  void takeB(40);
  void takeC(1);
  void takeB(1);
  await settled();
  // c waited first, so it alone goes beyond the budget; b waits for released bytes.
  expect([log, budget.usedBytes()]).toEqual([['a', 'b', 'c'], 101]);
  void takeC(50);
  await settled();
  expect([log, budget.usedBytes()]).toEqual([['a', 'b', 'c', 'c'], 151]);
  c.release();
  await settled();
  expect([log.at(-1), budget.usedBytes()]).toEqual(['b', 101]);
  a.release();
  b.release();
  expect(budget.usedBytes()).toBe(0);
});

test('releasing a hold while it waits ends its wait', async () => {
  const budget = createByteBudget(10);
  const log: string[] = [];
  const [a, b, c] = [budget.open(), budget.open(), budget.open()];
  void taker(a, 'a', log)(11);
  void taker(b, 'b', log)(5);
  b.release();
  void taker(b, 'b', log)(5);
  void taker(c, 'c', log)(5);
  await settled();
  expect(log).toEqual(['a', 'b ended', 'b ended']);
  a.release();
  await settled();
  expect(log.at(-1)).toBe('c');
});

test('responses of any size all finish, within the budget plus the largest of them', async () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (responses) => {
      const budget = createByteBudget(60);
      const sizes = responses.map((all) => all.reduce((sum, each) => sum + each, 0));
      let most = 0;
      await Promise.all(
        responses.map(async (all) => {
          const hold = budget.open();
          for (const bytes of all) {
            await hold.take(bytes);
            most = Math.max(most, budget.usedBytes());
          }
          hold.release();
        }),
      );
      expect(budget.usedBytes()).toBe(0);
      expect(most).toBeLessThanOrEqual(60 + Math.max(0, ...sizes));
    }),
  );
});
