import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Turn, type TurnBounds, type TurnCaller, Turns } from './turns.ts';

const boundsOf = fc.record({
  maxPerCaller: fc.integer({ min: 1, max: 3 }),
  maxInAll: fc.integer({ min: 1, max: 5 }),
  maxWaitingPerCaller: fc.integer({ min: 0, max: 4 }),
  maxWaiting: fc.integer({ min: 0, max: 8 }),
});
const stepsOf = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ ask: fc.integer({ min: 0, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ leave: fc.nat() }) },
  ),
  { maxLength: 80 },
);

/** Callers of two networks, each of which may have twice the slots of a caller. */
const callerOf = (number: number): TurnCaller => [
  { group: `caller ${number}`, times: 1 },
  { group: `network ${number % 2}`, times: 2 },
];
const nameOf = ({ caller }: Turn) => caller[0].group;

/** Turns, with a record of all requests and an independent count of the allowed ones. */
function watch(bounds: TurnBounds) {
  const turns = new Turns(bounds);
  const asked: Turn[] = [];
  const begun: Turn[] = [];
  /** How often one caller began while another, which could have begun, waited. */
  const passed = new Map<string, number>();
  /** Work of its caller that had ended when a turn became the next of its caller. */
  const endedBefore = new Map<Turn, number>();
  const ended: string[] = [];
  const endedOf = (name: string) => ended.filter((each) => each === name).length;
  const counted = (state: Turn['state'], group?: string) =>
    asked.filter(
      (turn) =>
        turn.state === state &&
        (group === undefined || turn.caller.some((each) => each.group === group)),
    );
  const mayBegin = ({ caller }: Turn) =>
    counted('works').length < bounds.maxInAll &&
    caller.every(
      ({ group, times }) => counted('works', group).length < bounds.maxPerCaller * times,
    );
  const heads = () => {
    const first = new Map<string, Turn>();
    for (const turn of counted('waits')) {
      if (!first.has(nameOf(turn))) first.set(nameOf(turn), turn);
    }
    return [...first.values()];
  };
  const beginAll = () => {
    for (;;) {
      for (const head of heads()) {
        if (!endedBefore.has(head)) endedBefore.set(head, endedOf(nameOf(head)));
      }
      const could = heads().filter(mayBegin);
      const turn = turns.begin();
      if (!turn) {
        expect(could).toEqual([]);
        return;
      }
      // The oldest of its caller, within the bounds.
      expect(could).toContain(turn);
      for (const other of could.filter((each) => each !== turn)) {
        const pair = `${asked.indexOf(other)} by ${nameOf(turn)}`;
        passed.set(pair, (passed.get(pair) ?? 0) + 1);
        // Once, and once more for each slot that the other released in the meantime.
        const since = endedBefore.get(other) ?? 0;
        expect(passed.get(pair)).toBeLessThanOrEqual(1 + endedOf(nameOf(other)) - since);
      }
      begun.push(turn);
    }
  };
  const requireCounts = () => {
    expect(turns.working).toBe(counted('works').length);
    expect(turns.waiting).toBe(counted('waits').length);
    expect(turns.waiting).toBeLessThanOrEqual(bounds.maxWaiting);
  };
  return {
    turns,
    ask(number: number) {
      const own = counted('waits', `caller ${number}`).length;
      const sizes = Map.groupBy(counted('waits'), nameOf);
      const most = Math.max(0, ...[...sizes.values()].map(({ length }) => length));
      const response = turns.ask(callerOf(number));
      if (response?.displaced) {
        expect(response.displaced.state).toBe('over');
        expect(most).toBeGreaterThanOrEqual(own + 2);
      }
      if (response) asked.push(response.turn);
      beginAll();
      requireCounts();
    },
    leave(chosen: number) {
      const turn = asked[chosen % Math.max(1, asked.length)];
      if (turn?.state === 'works') ended.push(nameOf(turn));
      if (turn) turns.leave(turn);
      beginAll();
      requireCounts();
    },
    end() {
      for (const turn of asked) turns.leave(turn);
      expect([turns.working, turns.waiting, turns.remembered]).toEqual([0, 0, 0]);
    },
  };
}

test('callers take turns within all bounds, no one who may begin waits, and nothing is left behind', () => {
  fc.assert(
    fc.property(boundsOf, stepsOf, (bounds, steps) => {
      const watched = watch(bounds);
      for (const step of steps) {
        if ('ask' in step) watched.ask(step.ask);
        else watched.leave(step.leave);
      }
      watched.end();
    }),
    { numRuns: 500 },
  );
});

test('in a full queue the caller with the most work gives way to one with less, never to an equal', () => {
  const turns = new Turns({ maxPerCaller: 1, maxInAll: 1, maxWaitingPerCaller: 5, maxWaiting: 3 });
  const ask = (name: string) => turns.ask([{ group: name, times: 1 }]);
  ask('a');
  turns.begin();
  const waiting = ['a', 'a', 'a'].map((name) => ask(name)?.turn);
  expect(ask('a')).toBeNull();
  expect(ask('b')?.displaced).toBe(waiting[2]);
  expect(ask('b')).toBeNull();
  expect(ask('c')?.displaced).toBe(waiting[1]);
  expect(ask('d')).toBeNull();
});

test('a caller whose work begins comes after all others, even if it has more slots', () => {
  const turns = new Turns({ maxPerCaller: 3, maxInAll: 5, maxWaitingPerCaller: 5, maxWaiting: 10 });
  for (const name of ['a', 'a', 'a', 'b', 'c']) turns.ask([{ group: name, times: 1 }]);
  const groups = Array.from({ length: 5 }, () => turns.begin()?.caller[0].group);
  expect(groups.join('')).toBe('abcaa');
});
