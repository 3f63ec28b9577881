import { expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { until } from '../../../../../test/support/until.ts';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import { createScheduledPolls } from './scheduledPolls.ts';

const clock = { now: () => Date.now() };

/** A generation that is reserved for a minute. */
const reserved = (id: string) => ({ id, dueAt: Date.now() + minuteMs }) as PolledGeneration;

test('a generation that is reserved again has only its newer poll', async () => {
  const seen: PolledGeneration[] = [];
  const polls = createScheduledPolls(clock, (generation) => seen.push(generation));
  const [older, newer] = [reserved('gen_1'), reserved('gen_1')];
  polls.add(older, Date.now() + 20);
  polls.add(newer, Date.now() + 80);
  await until(() => polls.count === 0);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toBe(newer);
});

test('no poll is scheduled beyond the reservation, and none after a release', async () => {
  const seen: PolledGeneration[] = [];
  const polls = createScheduledPolls(clock, (generation) => seen.push(generation));
  const generation = reserved('gen_1');
  expect(polls.add(generation, generation.dueAt)).toBe(false);
  expect(polls.add(generation, Date.now() + 20)).toBe(true);
  expect(polls.release()).toEqual([generation]);
  expect(polls.count).toBe(0);
  expect(polls.add(generation, Date.now())).toBe(false);
  await until(() => Date.now() > generation.dueAt - minuteMs + 100);
  expect(seen).toEqual([]);
});

test('a process keeps 30,000 polls at most', () => {
  const polls = createScheduledPolls(clock, () => undefined);
  const keep = (number: number) => polls.add(reserved(`gen_${number}`), Date.now() + 50_000);
  for (let number = 0; number < 30_000; number += 1) keep(number);
  expect([polls.count, keep(30_000), polls.count]).toEqual([30_000, false, 30_000]);
  polls.release();
});
