import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { day, hour, ids, made, minute, noCache, noon, play } from './support/playedRuns.ts';
import { simulateZapier } from './support/simulatedZapier.ts';

/*
 * Days of runs with the same inputs, with the app's own step on a model of Zapier and the API with one clock; no run is
 * paid twice. The same on Zapier's core and a real gateway, in fewer cases: waiting.acceptance.ts.
 */

describe('a run that is repeated is paid once', () => {
  test.each([
    ['killed after the POST', { killedAttempts: [1] }, true],
    ['killed after the POST, without z.cache', { killedAttempts: [1, 2] }, false],
    ['with a cache that is lost before each attempt', { losesCacheBefore: [2, 3, 4, 5] }, true],
    ['with a cache that is lost, over midnight', { losesCacheBefore: [2, 3, 4, 5] }, true],
    ['without z.cache', {}, false],
  ])('%s', async (name, run, hasCache) => {
    const atMs = name.includes('midnight') ? noon + 12 * hour - 45_000 : noon;
    const { world, outcomes } = await play([{ atMs, ...run }], (each) => {
      each.hasCache = hasCache;
    });
    expect(outcomes[0]?.id).toBeDefined();
    expect(made(world)).toBe(1);
  });

  test('even if the key of an equal run expires meanwhile, a week later', async () => {
    // The key of the first is kept for 7 days, so it exists only in the second run's first attempt.
    const runs = [{ atMs: noon }, { atMs: noon + 7 * day - 20_000 }];
    const { world, outcomes } = await play(runs, noCache);
    expect(new Set(ids(outcomes)).size).toBe(2);
    expect(made(world)).toBe(2);
  });

  test.each([
    ['an outage that ended it, by the automatic replay hours later', hour * 3],
    ['an outage that ended it, by a replay the next day', day],
  ])('after %s', async (_case, replayAfterMs) => {
    const world = simulateZapier();
    world.api.isDown = true;
    const [ended] = await world.play([{ atMs: noon }]);
    expect(ended?.error?.message).toContain('nothing is charged twice');
    world.api.isDown = false;
    const [replayed] = await world.play([{ atMs: noon + replayAfterMs }]);
    expect(replayed?.id).toBe(world.api.generations[0]?.id);
    expect(made(world)).toBe(1);
  });

  test('after the deadline of two hours, by a replay the next day', async () => {
    const runs = [{ atMs: noon, replayAfterMs: day }];
    const { world, outcomes } = await play(runs, (each) => {
      each.api.plan = () => ({ lastsMs: 5 * hour });
    });
    expect(outcomes[0]?.id).toBe(world.api.generations[0]?.id);
    expect(made(world)).toBe(1);
  });

  test('when Zapier comes 25 minutes late', async () => {
    const { world, outcomes } = await play([{ atMs: noon, lateMs: 25 * minute }]);
    expect(outcomes[0]?.id).toBeDefined();
    expect(made(world)).toBe(1);
  });

  test('for an outage without z.cache, with the time limit', async () => {
    const [without, withKey] = await Promise.all(
      [undefined, 'row 1'].map(async (requestKey) => {
        const { outcomes } = await play([{ atMs: noon, order: { requestKey } }], (world) => {
          noCache(world);
          world.api.isDown = true;
        });
        return outcomes[0]?.error?.message;
      }),
    );
    expect(without).toContain(
      'The API is currently unavailable. Replay this step soon: six minutes after a generation has ended, a replay creates and charges another one.',
    );
    expect(withKey).toContain('nothing is charged twice');
  });
});

describe('an unclaimed result', () => {
  test.each([
    ['with z.cache', true],
    ['without it', false],
  ])(
    'of a run given up while it waited is not handed to one a day later, %s',
    async (_, hasCache) => {
      const runs = [{ atMs: noon, givenUpAfter: 1 }, { atMs: noon + day }];
      const { world, outcomes } = await play(runs, (each) => {
        each.hasCache = hasCache;
      });
      expect(outcomes[1]?.id).toBe(world.api.generations[1]?.id);
      expect(made(world)).toBe(2);
    },
  );

  test.each([
    ['with z.cache', true, undefined],
    ['without it', false, undefined],
    ['without it, with a Request Key', false, 'row 1'],
  ])('because it failed is not handed back for long, %s', async (_, hasCache, requestKey) => {
    const run = { order: { requestKey } };
    const runs = [
      { atMs: noon, ...run },
      { atMs: noon + 10 * minute, ...run },
    ];
    const { world, outcomes } = await play(runs, (each) => {
      each.hasCache = hasCache;
      each.api.plan = (number) => ({ lastsMs: minute, isFailed: number === 0 });
    });
    expect(outcomes[0]?.error?.message).toContain('failed');
    expect(outcomes[1]?.id).toBe(world.api.generations[1]?.id);
    expect(made(world)).toBe(2);
  });

  test('of a run past its deadline, whose generation failed later, blocks no new one', async () => {
    const { world, outcomes } = await play([{ atMs: noon }, { atMs: noon + day }], (each) => {
      each.api.plan = (number) =>
        number === 0 ? { lastsMs: 5 * hour, isFailed: true } : { lastsMs: minute };
    });
    expect(outcomes[0]?.error?.message).toContain('after two hours');
    expect(outcomes[1]?.id).toBe(world.api.generations[1]?.id);
  });
});

test('whatever happens, no run is paid twice and every run ends', async () => {
  const attempts = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 });
  const run = fc.record({
    // Hours and weeks on the minute, so that keys are forgotten and days end in the middle of runs.
    atMs: fc
      .tuple(
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 24 }),
        fc.integer({ min: -90, max: 90 }),
      )
      .map(([days, hours, seconds]) => noon + days * day + hours * hour + seconds * 1000),
    connection: fc.integer({ min: 0, max: 1 }),
    killedAttempts: attempts,
    losesCacheBefore: attempts,
    lateMs: fc.integer({ min: 0, max: 30_000 }),
    order: fc.record({
      requestKey: fc.constantFrom(undefined, undefined, 'row 1'),
      shouldWait: fc.boolean(),
    }),
  });
  const scene = fc.record({
    runs: fc.array(run, { minLength: 1, maxLength: 6 }),
    hasCache: fc.boolean(),
    lasts: fc.array(fc.integer({ min: 1, max: 90 * 60 }), { minLength: 3, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ runs, hasCache, lasts }) => {
      const { world, outcomes } = await play(runs, (each) => {
        each.hasCache = hasCache;
        each.api.plan = (number) => ({ lastsMs: (lasts[number % 3] ?? 1) * 1000 });
      });
      for (const outcome of outcomes) expect(outcome).toMatchObject({ id: expect.any(String) });
      expect(made(world)).toBeLessThanOrEqual(runs.length);
    }),
    { numRuns: 150 },
  );
});
