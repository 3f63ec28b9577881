import { afterEach, describe, expect, test } from '@jest/globals';
import { catalogue, hourMs } from '@framegate/contract';
import { type CatalogueVersion, withGroupPrice } from '../../domain/catalogue/catalogue.ts';
import type { CatalogueStore, RequestedCatalogue } from '../ports/catalogue.ts';
import { type Catalogues, openCatalogues } from './catalogues.ts';

const noticeMs = 20_000;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const opened: Catalogues[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.stop();
});

/** An in-memory store with a clock that only the test moves. */
function world() {
  const versions: CatalogueVersion[] = [];
  const state = { nowMs: 1_000_000, reads: 0, broken: false };
  const clock = { now: () => state.nowMs };
  const store: CatalogueStore = {
    async listPage(before, limit) {
      state.reads += 1;
      if (state.broken) throw new Error('no database');
      const found = versions.filter(({ number }) => before === null || number < before);
      return found.toReversed().slice(0, limit);
    },
    async listAfter(number, limit) {
      state.reads += 1;
      if (state.broken) throw new Error('no database');
      return versions.filter((each) => each.number > number).slice(0, limit);
    },
    has: async (hash) => versions.some((each) => each.hash === hash),
    async insert({ from, ...version }, notice) {
      if (versions.some(({ number }) => number === version.number)) return false;
      const soonest = notice === null ? 0 : state.nowMs + notice;
      const begins = notice === null ? 0 : Math.max(soonest, from ?? 0);
      versions.push({ ...version, from: begins, publishedAt: state.nowMs });
      return true;
    },
  };
  const open = async () => {
    const made = await openCatalogues({ store, clock, log, noticeMs, publisher: 'test' });
    opened.push(made);
    return made;
  };
  return { state, versions, open };
}

const priced = (price: number, from: number | null = null): RequestedCatalogue => ({
  catalogue: {
    models: catalogue.map((model) =>
      model.id === 'image-b-2' ? withGroupPrice(model, { credits: { '1k': price } }) : model,
    ),
    groups: {},
  },
  from,
  isOperators: true,
});
const builtIn: RequestedCatalogue = {
  catalogue: { models: catalogue, groups: {} },
  from: null,
  isOperators: false,
};

describe('publishing', () => {
  test('puts the first version in force immediately, and later ones after the notice', async () => {
    const { state, open } = world();
    const one = await open();
    expect(await one.publish(priced(10))).toBe('published');
    expect((await one.findAt(state.nowMs)).number).toBe(1);
    expect(await one.publish(priced(20))).toBe('published');
    expect((await one.findAt(state.nowMs)).number).toBe(1);
    expect(one.next(state.nowMs)).toMatchObject({ number: 2, from: state.nowMs + noticeMs });
    state.nowMs += noticeMs;
    expect((await one.findAt(state.nowMs)).number).toBe(2);
    expect(one.next(state.nowMs)).toBeNull();
  });

  test('publishes the same catalogue once, and does not restore a former one', async () => {
    const { open } = world();
    const [one, two] = [await open(), await open()];
    const results = await Promise.all([one.publish(priced(10)), two.publish(priced(10))]);
    expect(results.toSorted()).toEqual(['published', 'unchanged']);
    expect(await two.publish(priced(20))).toBe('published');
    expect(await one.publish(priced(10))).toBe('former');
    expect(await one.publish(priced(10), true)).toBe('published');
    expect(await two.publish(priced(10))).toBe('unchanged');
    expect(await two.publish(priced(20))).toBe('former');
  });

  test('follows the file of another process that published before', async () => {
    const { open } = world();
    const [one, two] = [await open(), await open()];
    expect(await one.publish(builtIn)).toBe('published');
    expect(await one.publish(priced(10))).toBe('published');
    expect(await two.publish(builtIn)).toBe('follows');
    expect(await two.publish(builtIn, true)).toBe('published');
    expect(await one.publish(builtIn)).toBe('unchanged');
  });

  test('sells the built-in models until the first file begins', async () => {
    const { state, open } = world();
    const one = await open();
    const from = state.nowMs + hourMs;
    expect(await one.publish(priced(10, from))).toBe('published');
    expect((await one.findAt(state.nowMs)).models).toEqual(catalogue);
    expect(one.next(state.nowMs)).toMatchObject({ number: 2, from });
  });

  test('refuses a catalogue without a model that was sold', async () => {
    const { open } = world();
    const one = await open();
    await one.publish(builtIn);
    const shorter = { models: catalogue.slice(1), groups: {} };
    await expect(one.publish({ ...builtIn, catalogue: shorter })).rejects.toThrow(
      'models["alpha-2.5"] is missing',
    );
  });
});

describe('a process', () => {
  test('answers from memory, and knows a version of another process before it begins', async () => {
    const { state, open } = world();
    const [one, two] = [await open(), await open()];
    await one.publish(priced(10));
    state.nowMs += noticeMs / 2;
    expect((await two.findAt(state.nowMs)).number).toBe(1);
    const { reads } = state;
    for (let i = 0; i < 1000; i += 1) await two.findAt(state.nowMs + (i % 100));
    expect(state.reads).toBe(reads);
    await one.publish(priced(20));
    state.nowMs += noticeMs;
    expect((await two.findAt(state.nowMs)).number).toBe(2);
  });

  test('names no price after failing to read for too long', async () => {
    const { state, open } = world();
    const one = await open();
    await one.publish(priced(10));
    state.broken = true;
    state.nowMs += noticeMs / 2 - 1;
    expect((await one.findAt(state.nowMs)).number).toBe(1);
    state.nowMs += 1;
    await expect(one.findAt(state.nowMs)).rejects.toThrow('no database');
    expect(one.localVersion(state.nowMs).number).toBe(1);
  });
});
