import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { giveWay, mapInStretches, takeSteps, yieldInPieces } from './giveWay.ts';

/** Holds the thread. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('work that gives way continues one piece per turn of the event loop, in order', async () => {
  const told: string[] = [];
  const work = async (name: string) => {
    await giveWay();
    told.push(name);
  };
  const all = Promise.all([work('one'), work('two'), work('three')]);
  for (const turn of ['turn 1', 'turn 2', 'turn 3']) {
    await nextTurn();
    told.push(turn);
  }
  await all;
  expect(told.filter((each) => !each.startsWith('turn'))).toEqual(['one', 'two', 'three']);
  expect(told.indexOf('two')).toBeGreaterThan(told.indexOf('turn 1'));
  expect(told.indexOf('three')).toBeGreaterThan(told.indexOf('turn 2'));
});

test('long work on many items lets timers and requests in between', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const values = await mapInStretches(
    Array.from({ length: 20 }, (_, index) => index),
    (index) => {
      hold(1);
      return index * 2;
    },
  );
  clearInterval(timer);
  expect(values).toEqual(Array.from({ length: 20 }, (_, index) => index * 2));
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('texts are joined to pieces, and long work begins a new one', async () => {
  function* texts() {
    for (let index = 0; index < 3; index += 1) yield String(index);
    hold(3);
    yield 'x'.repeat(50_000);
    yield 'end';
  }
  const pieces: string[] = [];
  for await (const piece of yieldInPieces(texts())) pieces.push(piece);
  expect(pieces).toEqual([`012${'x'.repeat(50_000)}`, 'end']);
});

test('each step takes its own turn, up to the result', async () => {
  function* steps(): Generator<undefined, string> {
    yield;
    yield;
    return 'made';
  }
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await takeSteps(steps())).toBe('made');
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(1);
});
