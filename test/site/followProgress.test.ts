import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { beforeEach, expect, test } from '@jest/globals';
import { textsOf } from '../../gateway/src/texts/text.ts';
import { projectRoot } from '../support/runNode.ts';

interface State {
  status: string;
  percent: number;
  next_percent: number;
  words: string;
  status_words: string;
  retry_after_seconds: number;
}

const state = (retry: number, percent: number): State => ({
  status: 'processing',
  status_words: 'In progress',
  words: `${percent} %`,
  percent,
  next_percent: percent + 10,
  retry_after_seconds: retry,
});

/** Sentences and requests of the page in order; seconds since it was opened. */
let nowSeconds: number;
let looks: number[];
let reloads: number;
let responses: (() => { status: number; headers: Headers; json(): Promise<unknown> })[];
let timers: { at: number; run(): void; every: number | null }[];
let bar: { value: number };
let words: { textContent: string };

const respond = (body: unknown, status = 200, headers = {}) => ({
  status,
  headers: new Headers(headers),
  json: () => Promise.resolve(body),
});

/** Opens the page of a generation with the real script; its clock stands until `pass` moves it. */
async function open(first: State): Promise<void> {
  const script = await readFile(
    join(projectRoot, 'gateway/src/http/pages/assets/progress.js'),
    'utf8',
  );
  const parts: Record<string, object> = { progress: bar, '.words': words };
  const card = {
    dataset: { progress: '/generations/gen_1/progress', state: JSON.stringify(first) },
    querySelector: (selector: string) => parts[selector] ?? null,
  };
  const addTimer = (run: () => void, ms: number, every: number | null) => {
    timers.push({ at: nowSeconds + ms / 1000, run, every });
  };
  const page = {
    document: {
      querySelectorAll: () => [card],
      getElementById: () => null,
    },
    location: { reload: () => (reloads += 1) },
    performance: { now: () => nowSeconds * 1000 },
    fetch: async () => {
      looks.push(nowSeconds);
      const next = responses.shift();
      if (!next) throw new Error('no network');
      return next();
    },
    setTimeout: (run: () => void, ms: number) => {
      addTimer(run, ms, null);
    },
    setInterval: (run: () => void, ms: number) => {
      addTimer(run, ms, ms / 1000);
    },
    clearInterval: () => undefined,
    say: (name: string) => textsOf('scripts')[name],
  };
  runInContext(script, createContext(page));
}

async function pass(seconds: number): Promise<void> {
  const until = nowSeconds + seconds;
  for (;;) {
    const next = timers.toSorted((a, b) => a.at - b.at)[0];
    if (!next || next.at > until) break;
    nowSeconds = next.at;
    if (next.every === null) timers.splice(timers.indexOf(next), 1);
    else next.at += next.every;
    next.run();
    await new Promise(setImmediate);
  }
  nowSeconds = until;
}

beforeEach(() => {
  [nowSeconds, reloads, looks, timers, responses, bar] = [0, 0, [], [], [], { value: 0 }];
  words = { textContent: '' };
});

test('a page polls at the stated times, moves its bar in between, and shows the end', async () => {
  responses = [
    () => respond(state(5, 40)),
    () => respond(state(3, 60)),
    () => respond({ ...state(1, 100), status: 'completed' }),
  ];
  await open(state(20, 0));
  await pass(10);
  expect([looks, bar.value]).toEqual([[], 5]);
  await pass(12);
  expect(looks).toEqual([20]);
  expect(bar.value).toBeGreaterThan(40);
  await pass(6);
  expect([looks, reloads]).toEqual([[20, 25, 28], 1]);
});

test('a page without a response polls again after the same interval or after Retry-After', async () => {
  responses = [() => respond('busy', 503, { 'retry-after': '30' })];
  await open(state(8, 0));
  await pass(80);
  expect(looks).toEqual([8, 38, 68]);
  expect(reloads).toBe(0);
  expect(words.textContent).toBe('No connection. Your generation continues without this page.');
  responses = [() => respond(state(5, 50))];
  await pass(20);
  expect(words.textContent).toBe('50 %');
});
