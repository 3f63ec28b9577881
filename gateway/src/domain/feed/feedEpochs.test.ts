import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  advance,
  beginEpoch,
  emptyCounter,
  type FeedCounter,
  type FeedPoint,
  feedStart,
  formatPoint,
  isEpochUnused,
  newestPoint,
  parsePoint,
  pointAt,
  pointInNewestEpoch,
  restorePoint,
} from './feedEpochs.ts';

/** A database with the item that each of its positions was given to. */
interface World {
  counter: FeedCounter;
  things: readonly string[];
}

type Act =
  | { act: 'place'; count: number }
  | { act: 'back up' }
  | { act: 'restore'; to: number; says: boolean }
  | { act: 'read'; upTo: number };

const acts = fc.array(
  fc.oneof<fc.Arbitrary<Act>[]>(
    fc.record({ act: fc.constant('place'), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ act: fc.constant('back up') }),
    fc.record({ act: fc.constant('restore'), to: fc.nat(), says: fc.boolean() }),
    fc.record({ act: fc.constant('read'), upTo: fc.nat() }),
  ),
  { maxLength: 30, size: 'max' },
);

const idOf = (number: number) => number.toString(16).padStart(12, '0');

test('a follower ends with the items of the database, and learns of each lost item that it had written', () => {
  fc.assert(
    fc.property(acts, (steps) => {
      let ids = 0;
      const newId = () => idOf((ids += 1));
      let things = 0;
      let world: World = { counter: emptyCounter, things: [] };
      const backups = [world];
      let seen: FeedPoint = feedStart;
      let held: string[] = [];
      let cursor: FeedPoint = feedStart;
      /** Items that the follower has paid for and takes as booked. */
      let booked = new Set<string>();
      const given = new Map<string, string>();
      const place = (count: number) => {
        const counter = advance(world.counter, { count, knownPoint: seen, newId });
        const placed = Array.from({ length: count }, () => `thing ${(things += 1)}`);
        world = { counter, things: [...world.things, ...placed] };
        // Before its first page, a follower has no cursor that could be refused.
        if (cursor.position > 0) for (const thing of placed) booked.add(thing);
        seen = newestPoint(counter);
      };
      const read = (upTo: number) => {
        place(0);
        const from = restorePoint(world.counter, cursor);
        if (from !== null) {
          held = held.slice(0, from.position);
          booked = new Set(held);
          cursor = from;
          expect(restorePoint(world.counter, cursor)).toBeNull();
        }
        for (let at = cursor.position + 1; at <= Math.min(upTo, world.counter.last); at += 1) {
          const thing = world.things[at - 1] ?? '';
          held.push(thing);
          cursor = pointInNewestEpoch(world.counter, at);
          expect(parsePoint(formatPoint(cursor))).toEqual(cursor);
          const id = formatPoint(pointAt(world.counter, at));
          // An id never names another item.
          expect(given.get(id) ?? thing).toBe(thing);
          given.set(id, thing);
        }
      };
      for (const step of steps) {
        if (step.act === 'place') {
          place(step.count);
        } else if (step.act === 'back up') {
          backups.push(world);
        } else if (step.act === 'read') {
          read(step.upTo % (world.counter.last + 1));
        } else {
          world = backups[step.to % backups.length] ?? world;
          // The operator reports the restore, and processes without knowledge of it start.
          if (!step.says) continue;
          const first =
            world.counter.epochs.length > 0 ? world.counter : beginEpoch(world.counter, newId());
          world = { ...world, counter: beginEpoch(first, newId()) };
          seen = newestPoint(world.counter);
        }
      }
      read(Infinity);
      expect(held).toEqual(world.things);
      expect([...booked].filter((thing) => !held.includes(thing))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('an epoch begun by a restore is unused until an item is placed, unlike the first one', () => {
  const newId = () => idOf(1);
  const first = advance(emptyCounter, { count: 2, knownPoint: feedStart, newId });
  expect(isEpochUnused(first)).toBe(false);
  const second = beginEpoch(first, idOf(2));
  expect(isEpochUnused(second)).toBe(true);
  expect(isEpochUnused(advance(second, { count: 1, knownPoint: feedStart, newId }))).toBe(false);
});

test('a cursor of a forgotten epoch is read again from the start, never from the middle', () => {
  let counter = advance(emptyCounter, { count: 3, knownPoint: feedStart, newId: () => idOf(0) });
  const old = pointInNewestEpoch(counter, 3);
  for (let number = 1; number <= 100; number += 1) counter = beginEpoch(counter, idOf(number));
  expect(counter.epochs).toHaveLength(100);
  expect(restorePoint(counter, old)).toEqual(feedStart);
  expect(restorePoint(counter, pointInNewestEpoch(counter, 3))).toBeNull();
});
