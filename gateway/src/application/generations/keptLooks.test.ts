import { expect, test } from '@jest/globals';
import type { LookedAt } from '../../domain/generation.ts';
import { until } from '../../../../test/support/until.ts';
import { createKeptLooks } from './keptLooks.ts';

const clock = { now: () => Date.now() };

/** A generation that is reserved for a minute. */
const reserved = (id: string) => ({ id, dueAt: Date.now() + 60_000 }) as LookedAt;

test('a generation that is reserved again has only its newer look', async () => {
  const seen: LookedAt[] = [];
  const looks = createKeptLooks(clock, (generation) => seen.push(generation));
  const [older, newer] = [reserved('gen_1'), reserved('gen_1')];
  looks.keep(older, Date.now() + 20);
  looks.keep(newer, Date.now() + 80);
  await until(() => looks.count === 0);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toBe(newer);
});

test('no look is kept beyond the reservation, and none after a release', async () => {
  const seen: LookedAt[] = [];
  const looks = createKeptLooks(clock, (generation) => seen.push(generation));
  const generation = reserved('gen_1');
  expect(looks.keep(generation, generation.dueAt)).toBe(false);
  expect(looks.keep(generation, Date.now() + 20)).toBe(true);
  expect(looks.release()).toEqual([generation]);
  expect(looks.count).toBe(0);
  expect(looks.keep(generation, Date.now())).toBe(false);
  await until(() => Date.now() > generation.dueAt - 60_000 + 100);
  expect(seen).toEqual([]);
});

test('a process keeps 30,000 looks at most', () => {
  const looks = createKeptLooks(clock, () => undefined);
  const keep = (number: number) => looks.keep(reserved(`gen_${number}`), Date.now() + 50_000);
  for (let number = 0; number < 30_000; number += 1) keep(number);
  expect([looks.count, keep(30_000), looks.count]).toEqual([30_000, false, 30_000]);
  looks.release();
});
