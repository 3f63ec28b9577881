import { describe, expect, test } from '@jest/globals';
import { day, hour, ids, made, minute, noCache, noon, play } from './support/playedRuns.ts';

/*
 * Days of runs with the same inputs, with the app's own step on a model of Zapier and the API with one clock: some
 * share a generation, and others get their own. The same on Zapier's core and a real gateway, in fewer cases:
 * sharing.acceptance.ts.
 */

describe('two events with the same inputs', () => {
  test('get a generation each over two connections, an hour apart', async () => {
    const { world, outcomes } = await play([
      { atMs: noon },
      { atMs: noon + hour, connection: 1 },
      { atMs: noon + 2 * hour },
      { atMs: noon + 3 * hour, connection: 1 },
    ]);
    expect(new Set(ids(outcomes)).size).toBe(4);
    expect(made(world)).toBe(4);
    expect(outcomes.map(({ isShared }) => isShared)).toEqual([false, false, false, false]);
  });

  test('get a generation each without z.cache, an hour apart, all day long', async () => {
    const hours = Array.from({ length: 24 }, (_, index) => index);
    const runs = hours.map((each) => ({ atMs: noon - 12 * hour + each * hour }));
    const { world, outcomes } = await play(runs, noCache);
    expect(new Set(ids(outcomes)).size).toBe(24);
    expect(made(world)).toBe(24);
  });

  test('share one, visibly, while it is made and for six minutes after its end', async () => {
    const { world, outcomes } = await play([
      { atMs: noon },
      { atMs: noon + 30_000, connection: 1 },
      { atMs: noon + 90_000 + 5 * minute },
      { atMs: noon + 90_000 + 5 * minute, connection: 2 },
      { atMs: noon + 90_000 + 7 * minute, connection: 3 },
    ]);
    expect(made(world)).toBe(2);
    const [first, second, third, fourth, fifth] = outcomes;
    expect(ids(outcomes)).toEqual([first?.id, first?.id, first?.id, first?.id, fifth?.id]);
    expect(fifth?.id).not.toBe(first?.id);
    const told = [first, second, third, fourth, fifth].map((each) => each?.isShared);
    expect(told).toEqual([false, true, true, true, false]);
  });

  test('do not share forever by coming every five minutes', async () => {
    const runs = Array.from({ length: 12 }, (_, index) => ({ atMs: noon + index * 5 * minute }));
    const { world } = await play(runs);
    expect(made(world)).toBeGreaterThanOrEqual(5);
  });

  test('cannot be distinguished without z.cache, which the output states', async () => {
    const { world, outcomes } = await play([{ atMs: noon }, { atMs: noon + minute }], noCache);
    expect(made(world)).toBe(1);
    expect(outcomes.map(({ isShared }) => isShared)).toEqual([null, null]);
  });

  test('of two steps in one Zap share one file unless each has a Request Key', async () => {
    const steps = (first?: string, second?: string) => [
      { atMs: noon, order: { requestKey: first } },
      { atMs: noon + 2 * minute, order: { requestKey: second } },
    ];
    const shared = await play(steps());
    expect(made(shared.world)).toBe(1);
    expect(shared.outcomes.map(({ isShared }) => isShared)).toEqual([false, true]);
    const apart = await play(steps('row 1 a', 'row 1 b'));
    expect(made(apart.world)).toBe(2);
    expect(apart.outcomes.map(({ isShared }) => isShared)).toEqual([false, false]);
  });
});

test('a Request Key gives one generation for seven days, over every connection', async () => {
  const order = { requestKey: 'row 1' };
  const at = [0, hour, 3 * day, 7 * day - hour, 7 * day + hour];
  const runs = at.map((after, connection) => ({
    atMs: noon + after,
    connection: connection % 2,
    order,
  }));
  const { world, outcomes } = await play(runs);
  const [first, last] = world.api.generations;
  expect(ids(outcomes)).toEqual([first?.id, first?.id, first?.id, first?.id, last?.id]);
  expect(outcomes.map(({ isShared }) => isShared)).toEqual([false, true, true, true, false]);
});
