import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { plenty } from '../support/gateway.ts';
import { sent, useStudio } from './support/useStudio.ts';
import type { Page } from './support/visitor.ts';

const studio = useStudio();

const image = { model: 'image-b-2', 'parameters.aspect_ratio': '9:16', times: '10' };

const made = (prompt: string) =>
  studio().gateway.collections.generations.find({ prompt }).toArray();
const balance = async () =>
  Number(/([\d,]+) credits available/.exec((await studio().visitor.get('/credits')).text)?.[1]);
const limit = async (limits: Partial<typeof defaultLimits>) => {
  const { gateway, accountId } = studio();
  await setAccountLimits({ database: gateway.database, defaultLimits }, { accountId, limits });
};
// Otherwise sets wait for the create rate, as `studioList.test.ts` tests.
beforeAll(() => limit(plenty));

const chosen = (page: Page, name: string) =>
  new RegExp(`name="${name}"[^]*?<option value="([^"]+)" selected>`).exec(page.text)?.[1];

describe('a set of equal requests', () => {
  test('has one price in advance, and makes ten separate generations of one order', async () => {
    const before = await balance();
    const form = await studio().update({ ...image, prompt: 'ten' });
    expect(form.text).toContain('<strong>10 × 6 = 60 credits</strong>');
    expect(form.text).toMatch(/>\s*Create 10 images · 60 credits\s*<\/button>/);
    const page = await studio().create({ ...image, prompt: 'ten' });
    expect(page.path).toMatch(/^\/studio\?generation=gen_/);
    const generations = await made('ten');
    expect(generations).toHaveLength(10);
    expect(new Set(generations.map(({ parameters }) => parameters.seed)).size).toBe(10);
    expect(generations.map(({ costCredits }) => costCredits)).toEqual(Array(10).fill(6));
    expect(await balance()).toBe(before - 60);
    // One tile grid with the total price, instead of ten rows.
    expect(page.text.match(/<li class="request/g)).toHaveLength(1);
    expect(page.text.match(/class="shot frames"/g)).toHaveLength(10);
    expect(chosen(page, 'times')).toBe('10');
  });

  test('sent twice at once is one set', async () => {
    const fields = { ...image, prompt: 'pressed twice' };
    const form = { ...fields, ...sent(await studio().update(fields)), do: 'create' };
    const pages = await Promise.all([
      studio().visitor.post('/studio', form),
      studio().visitor.post('/studio', form),
    ]);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(1);
    expect(await made('pressed twice')).toHaveLength(10);
  });

  test.each([
    [402, 'credits', 'This costs 500 credits, but you only have 480.'],
    [429, 'room', 'too many generations running or waiting'],
  ])('without enough for all is refused before anything is charged (%i, %s)', async (...row) => {
    const [status, prompt, words] = row;
    const isRoom = prompt === 'room';
    // Ten run and ten wait.
    if (isRoom) await limit({ waiting: 15 });
    const before = await balance();
    const fields = isRoom ? image : { model: 'alpha-2.0-fast', times: '10' };
    const page = await studio().create({ ...fields, prompt });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
    expect(await made(prompt)).toEqual([]);
    expect(await balance()).toBe(before);
    await limit({ waiting: 200 });
  });
});

describe('the studio remembers', () => {
  test('the choices of the last request, but not its prompt, unless the address names others', async () => {
    const fields = { ...image, times: '4', 'parameters.n': '2', 'parameters.seed': '7' };
    const last = await studio().create({ ...fields, prompt: 'the last one' });
    const later = await studio().visitor.get('/studio');
    expect(later.text).toContain('name="model" value="image-b-2" checked');
    expect([chosen(later, 'times'), chosen(later, 'parameters.aspect_ratio')]).toEqual([
      '4',
      '9:16',
    ]);
    expect([later.field('parameters.n'), later.field('parameters.seed')]).toEqual(['2', '']);
    expect(later.text).not.toContain('the last one</textarea>');
    const id = /gen_\w+/.exec(last.path)?.[0] ?? '';
    const like = await studio().visitor.get(`/studio?like=${id}`);
    expect(like.text).toContain('the last one</textarea>');
    expect(like.text).not.toMatch(/<option value="\d+" selected>×/);
  });

  test('the ratio of a first frame, which it announces, and a ratio chosen afterwards', async () => {
    const fields = { model: 'alpha-2.0-fast', 'parameters.aspect_ratio': '9:16' };
    const post = (more: Record<string, string>) => studio().visitor.post('/studio', more);
    const framed = await post({ ...fields, do: 'sample:balloons.jpg' });
    expect(framed.text).toContain('Aspect ratio set to 16:9 to match the first frame.');
    expect(chosen(framed, 'parameters.aspect_ratio')).toBe('16:9');
    const frame = {
      mode: 'image-to-video',
      do: 'update',
      first_frame: framed.field('first_frame'),
      fitted: framed.field('fitted'),
    };
    const kept = await post({ ...fields, ...frame });
    expect(kept.text).not.toContain('Aspect ratio set');
    expect(chosen(kept, 'parameters.aspect_ratio')).toBe('9:16');
  });
});
