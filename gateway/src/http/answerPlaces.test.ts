import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { usualPace } from '@framegate/limits';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createAnswerPlaces } from './answerPlaces.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** The most time that the server gives a slow reader: the pace, and a check. */
const slowMs = usualPace.paceMs + 5_000;

/** Places of a process, and what became of those who asked for one. */
function open() {
  const enter = createAnswerPlaces({
    ...{ places: 3, perAccount: 1, mayWait: 1, maxWaitMs: slowMs + 5_000 },
    refuse: () => new Error('full'),
  });
  const log: string[] = [];
  const ask = (name: string) => {
    const res = Object.assign(new EventEmitter(), { closed: false });
    const end = () => {
      res.closed = true;
      res.emit('close');
    };
    void enter(res as unknown as ServerResponse, name.charAt(0)).then(
      () => {
        log.push(name);
        // The server closes whoever reads slowly.
        if (name.includes('slow')) setTimeout(end, slowMs);
      },
      (error: unknown) => void log.push(`${name}: ${(error as Error).message}`),
    );
    return { end };
  };
  return { ask, log };
}

test('slow readers in all places keep nobody out, though each of them comes again at once', async () => {
  const { ask, log } = open();
  for (const name of ['a slow', 'b slow', 'c slow', 'x bystander']) ask(name);
  await jest.advanceTimersByTimeAsync(slowMs);
  for (const name of ['a slow again', 'c slow again']) ask(name);
  await jest.advanceTimersByTimeAsync(0);
  expect(log).toEqual([
    'a slow',
    'b slow',
    'c slow',
    'x bystander',
    'a slow again',
    'c slow again',
  ]);
});

test('a second try of an account waits for its own place and takes nobody else’s; a third is refused', async () => {
  const { ask, log } = open();
  const first = ask('a');
  ask('a second');
  ask('a third');
  ask('d');
  ask('e');
  await jest.advanceTimersByTimeAsync(0);
  expect(log.toSorted()).toEqual(['a', 'a third: full', 'd', 'e']);
  first.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(log.at(-1)).toBe('a second');
});

test('who gets no place in time is refused, and who leaves makes room for the next', async () => {
  const { ask, log } = open();
  const all = ['a', 'c', 'd'].map(ask);
  const [waiting] = ['e', 'f'].map(ask);
  waiting?.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(log.at(-1)).toBe('e: the client left while it waited');
  all[0]?.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(log.at(-1)).toBe('f');
  ask('g');
  await jest.advanceTimersByTimeAsync(slowMs + 5_000);
  expect(log.at(-1)).toBe('g: full');
});
