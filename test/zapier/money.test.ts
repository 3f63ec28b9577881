import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  simulateZapier,
  type SimulatedOutcome,
  type SimulatedRun,
  type SimulatedWorld,
} from './support/simulatedZapier.ts';

/*
 * Days of runs with the same inputs, by the app's own step on a model of Zapier and the API with one
 * clock: who shares a generation, who gets one of their own, and that no run is paid twice. The same
 * on Zapier's core and a real gateway, in fewer cases: waiting.acceptance.ts.
 */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Noon, UTC. */
const noon = Date.UTC(2026, 10, 20, 12);

const ids = (outcomes: readonly SimulatedOutcome[]) => outcomes.map(({ id }) => id);
const made = ({ api }: SimulatedWorld) => api.generations.length;

async function play(
  runs: readonly SimulatedRun[],
  set: (world: SimulatedWorld) => void = () => {},
) {
  const world = simulateZapier();
  set(world);
  return { world, outcomes: await world.play(runs) };
}

const noCache = (world: SimulatedWorld) => {
  world.hasCache = false;
};

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

  test('share one while it is made and for six minutes after its end, and are told', async () => {
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

  test('do not share for ever by coming every five minutes', async () => {
    const runs = Array.from({ length: 12 }, (_, index) => ({ atMs: noon + index * 5 * minute }));
    const { world } = await play(runs);
    expect(made(world)).toBeGreaterThanOrEqual(5);
  });

  test('cannot be told apart without z.cache, which the output does not hide', async () => {
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

  test('though the key of an equal run is forgotten meanwhile, a week later', async () => {
    // The key of the first is kept 7 days: it is there in the second run's first attempt only.
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

  test('and an outage without z.cache says until when that holds', async () => {
    const [without, withKey] = await Promise.all(
      [undefined, 'row 1'].map(async (requestKey) => {
        const { outcomes } = await play([{ atMs: noon, order: { requestKey } }], (world) => {
          noCache(world);
          world.api.isDown = true;
        });
        return outcomes[0]?.error?.message;
      }),
    );
    expect(without).toBe(
      'The API is not available for now. Replay this step soon: once a generation has been over for six minutes, a replay makes and charges another one.',
    );
    expect(withKey).toContain('nothing is charged twice');
  });
});

describe('a result that was not taken', () => {
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

  test('of a run past its deadline, whose generation failed later, stands in no way', async () => {
    const { world, outcomes } = await play([{ atMs: noon }, { atMs: noon + day }], (each) => {
      each.api.plan = (number) =>
        number === 0 ? { lastsMs: 5 * hour, isFailed: true } : { lastsMs: minute };
    });
    expect(outcomes[0]?.error?.message).toContain('after two hours');
    expect(outcomes[1]?.id).toBe(world.api.generations[1]?.id);
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
      wait: fc.boolean(),
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
