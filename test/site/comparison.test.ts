import { beforeAll, expect, test } from '@jest/globals';
import { addFinished } from './support/addFinished.ts';
import { useStudio } from './support/useStudio.ts';
import type { Visitor } from './support/visitor.ts';

/* Results side by side. */

const studio = useStudio();
let visitor: Visitor;
beforeAll(() => {
  ({ visitor } = studio());
});
const add = (more = {}) => addFinished(studio().gateway, studio().accountId, more);
/** Ids of the selected boxes. */
const selectedOn = (text: string) =>
  [...text.matchAll(/name="id" value="(\w+)" form="wall" checked/g)].map(([, id]) => id);
const links = (text: string, words: string) =>
  [...text.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]*)<\/a/g)]
    .filter(([, , each]) => each === words)
    .map(([, to = '']) => to.replaceAll('&amp;', '&'));

test.each([2, 3, 4])('shows %i side by side, each with its actions', async (count) => {
  const ids = [];
  for (let each = 0; each < count; each += 1) ids.push(await add({ prompt: `Place ${each}` }));
  const page = await visitor.get(`/history/compare?id=${ids.join('&id=')}`);
  expect(page.text.match(/class="side /g)).toHaveLength(count);
  const hearts = [...page.text.matchAll(/class="[^"]*heart"[^>]*value="(\w+)"/g)];
  expect(hearts.map(([, id]) => id)).toEqual(ids.toReversed());
  expect(links(page.text, 'Download')).toEqual(
    ids.map((id) => `/generations/${id}/files.zip`).toReversed(),
  );
  expect(links(page.text, 'Delete…')).toHaveLength(count);
  const marked = await visitor.post('/history/favourites?to=yes', {
    id: ids[0] ?? '',
    quiet: 'yes',
    back: page.path,
  });
  expect(marked.path).toBe(page.path);
  // Back to the list, with the same selection.
  const list = await visitor.get(links(page.text, 'Back')[0] ?? '');
  expect(selectedOn(list.text)).toEqual(ids.toReversed());
  expect(list.text).not.toContain('Select two to four results');
});

test.each([
  [0, 'None is selected.'],
  [1, 'One is selected: add up to three more.'],
  [5, '5 are selected: clear some of them.'],
])('of %i says how many to select, and keeps the selection', async (count, words) => {
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) ids.push(await add());
  const back = encodeURIComponent('/history?state=completed');
  const query = [`back=${back}`, ...ids.map((id) => `id=${id}`)].join('&');
  const page = await visitor.get(`/history/compare?${query}`);
  expect([page.status, page.path]).toEqual([
    200,
    expect.stringMatching(/^\/history\?state=completed&id=/),
  ]);
  expect(page.text).toContain(`Select two to four results to compare them side by side. ${words}`);
  expect(selectedOn(page.text)).toEqual(ids.toReversed());
});

test('keeps one and deletes the others after a confirmation, and ends at the kept one', async () => {
  const [first, kept, third] = [await add(), await add(), await add()];
  const page = await visitor.get(`/history/compare?id=${first}&id=${kept}&id=${third}`);
  const keep = links(page.text, 'Keep this, delete the others…')[1] ?? '';
  const asked = await visitor.get(keep);
  expect(asked.text).toContain('Delete these 2 generations?');
  const address = `/history/compare?back=%2Fhistory&id=${[third, kept, first].join('&id=')}`;
  expect(links(asked.text, 'Keep')).toEqual([address]);
  const id = [...asked.text.matchAll(/name="id" value="(\w+)"/g)].map(([, each = '']) => each);
  expect(id).toEqual([third, first]);
  const done = await visitor.post('/history/delete', { id, back: asked.field('back') });
  expect([done.path, done.text]).toEqual([
    `/generations/${kept}`,
    expect.stringContaining('2 deleted.'),
  ]);
  const left = await visitor.get('/history');
  expect([first, kept, third].map((each) => left.text.includes(each))).toEqual([
    false,
    true,
    false,
  ]);
});

test('continues without a deleted one', async () => {
  const ids = [await add(), await add(), await add()];
  const page = await visitor.get(`/history/compare?id=${ids.join('&id=')}`);
  const asked = await visitor.get(links(page.text, 'Delete…')[0] ?? '');
  const id = ids[2] ?? '';
  expect(asked.field('id')).toBe(id);
  const done = await visitor.post('/history/delete', { id, back: asked.field('back') });
  expect(done.path).toMatch(/^\/history\/compare/);
  expect(done.text.match(/class="side /g)).toHaveLength(2);
});
