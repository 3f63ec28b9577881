import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { until } from '../../support/until.ts';

/** Waits until a page shows this, because the effect of a click may be delayed. */
export async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  let shown: T | undefined;
  const isShown = async () => isDeepStrictEqual((shown = await read()), expected);
  // The last content is more informative than a timeout.
  await until(isShown, 'the page shows it', 60_000).catch(() => expect(shown).toEqual(expected));
}
