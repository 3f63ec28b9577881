import { expect, test } from '@jest/globals';
import { inLanguage } from '../../texts/language.ts';
import { createPartCache } from './cachedParts.ts';
import { html } from './html.ts';

test('a part is rendered again for other values, in another language, and after its eviction', () => {
  let rendered = 0;
  const keep = createPartCache(100);
  const show = (dependencies: unknown) =>
    keep(dependencies, () => html`${(rendered += 1)}${'-'.repeat(20)}`).markup;
  const first = show({ id: 'a', isFavourite: false });
  expect(show({ id: 'a', isFavourite: false })).toBe(first);
  expect(rendered).toBe(1);
  expect(show({ id: 'a', isFavourite: true })).not.toBe(first);
  expect(inLanguage('de', () => show({ id: 'a', isFavourite: false }))).not.toBe(first);
  for (let index = 0; index < 10; index += 1) show(index);
  expect(show({ id: 'a', isFavourite: false })).not.toBe(first);
  const last = show('last');
  expect(show('last')).toBe(last);
});
