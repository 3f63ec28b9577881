import { describe, expect, test } from '@jest/globals';
import type { EndFigures, OpenFigures } from '../ports/figures.ts';
import { createFigures } from './figures.ts';

/** Figures from a database with this response time in ms. */
function start() {
  const state = { nowMs: 0, tookMs: 0, fails: false, open: 0, ends: 0 };
  async function answer<T>(figures: T): Promise<T> {
    await Promise.resolve();
    state.nowMs += state.tookMs;
    if (state.fails) throw new Error('it takes too long');
    return figures;
  }
  const figures = createFigures(
    () => answer({ readAt: (state.open += 1) } as OpenFigures),
    () => answer({ ended: Array.from({ length: (state.ends += 1) }) } as unknown as EndFigures),
    { now: () => state.nowMs },
  );
  return { state, figures };
}

describe('the figures of one process', () => {
  test('are read once for all readers within four seconds, metrics and console alike', async () => {
    const { state, figures } = start();
    await Promise.all([figures.loadAll(), figures.loadOpen(), figures.loadAll()]);
    state.nowMs = 3_999;
    expect(await figures.loadAll()).toMatchObject({ readAt: 1, ended: [undefined] });
    expect(state).toMatchObject({ open: 1, ends: 1 });
    state.nowMs = 4_000;
    expect((await figures.loadOpen()).readAt).toBe(2);
    expect(state).toMatchObject({ open: 2, ends: 1 });
  });

  test('take at most a twentieth of the time', async () => {
    const { state, figures } = start();
    state.tookMs = 1_000;
    await figures.loadOpen();
    state.nowMs = 19_999;
    await figures.loadOpen();
    expect(state.open).toBe(1);
    state.nowMs = 20_000;
    await figures.loadOpen();
    expect(state.open).toBe(2);
  });

  test('are read again after a failure, which every waiting reader sees', async () => {
    const { state, figures } = start();
    state.fails = true;
    const waiting = [figures.loadOpen(), figures.loadOpen()];
    for (const each of waiting) await expect(each).rejects.toThrow('too long');
    expect(state.open).toBe(1);
    state.fails = false;
    expect((await figures.loadOpen()).readAt).toBe(2);
  });
});
