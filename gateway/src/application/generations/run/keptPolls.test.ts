import { expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { until } from '../../../../../test/support/until.ts';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import { createKeptPolls } from './keptPolls.ts';

const clock = { now: () => Date.now() };

/** A generation that is reserved for a minute. */
const reserved = (id: string) => ({ id, dueAt: Date.now() + minuteMs }) as PolledGeneration;

test('a generation that is reserved again has only its newer poll', async () => {
  const seen: PolledGeneration[] = [];
  const polls = createKeptPolls(clock, (generation) => seen.push(generation));
  const [older, newer] = [reserved('gen_1'), reserved('gen_1')];
  polls.keep(older, Date.now() + 20);
  polls.keep(newer, Date.now() + 80);
  await until(() => polls.count === 0);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toBe(newer);
});

test('no poll is kept beyond the reservation, and none after a release', async () => {
  const seen: PolledGeneration[] = [];
  const polls = createKeptPolls(clock, (generation) => seen.push(generation));
  const generation = reserved('gen_1');
  expect(polls.keep(generation, generation.dueAt)).toBe(false);
  expect(polls.keep(generation, Date.now() + 20)).toBe(true);
  expect(polls.release()).toEqual([generation]);
  expect(polls.count).toBe(0);
  expect(polls.keep(generation, Date.now())).toBe(false);
  await until(() => Date.now() > generation.dueAt - minuteMs + 100);
  expect(seen).toEqual([]);
});

test('a process keeps 30,000 polls most', () => {
  const polls = createKeptPolls(clock, () => undefined);
  const keep = (number: number) => polls.keep(reserved(`gen_${number}`), Date.now() + 50_000);
  for (let number = 0; number < 30_000; number += 1) keep(number);
  expect([polls.count, keep(30_000), polls.count]).toEqual([30_000, false, 30_000]);
  polls.release();
});
