import { describe, expect, test } from '@jest/globals';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { sent, useStudio } from './support/useStudio.ts';
import type { Page } from './support/visitor.ts';

const studio = useStudio();

const model = { model: 'alpha-2.0-fast', mode: 'text-to-video', times: 'lines' };
/** Credits for one video of the usual length. */
const each = 50;

const generations = () => studio().gateway.collections.generations;
const prompts = async () => {
  const found = await generations()
    .find({}, { sort: { _id: 1 } })
    .toArray();
  return found.map(({ prompt }) => prompt);
};
const balance = async () =>
  Number(
    /([\d,]+) credits available/
      .exec((await studio().visitor.get('/credits')).text)?.[1]
      ?.replaceAll(',', ''),
  );

/** Sends the studio's form with a list; the response asks for confirmation. */
const ask = (prompt: string, fields: Record<string, string> = {}): Promise<Page> =>
  studio().create({ ...model, prompt, ...fields });

/** Confirms the question of a page. */
const agree = (asked: Page, fields: Record<string, string> = {}): Promise<Page> =>
  studio().visitor.post('/studio', {
    ...model,
    ...sent(asked),
    prompt: asked.field('prompt'),
    do: 'create-list',
    ...fields,
  });

describe('a list of prompts', () => {
  test('is confirmed once, with one price, and becomes one request per line', async () => {
    const before = await balance();
    const asked = await ask(' first \n\n second\nfirst');
    expect(asked.text).toContain('<h1>Create 3 videos?</h1>');
    expect(asked.text).toContain(`Create 3 videos · ${3 * each} credits`);
    expect(asked.text.match(/<li dir="auto">/g)).toHaveLength(3);
    expect(await prompts()).toEqual([]);
    const made = await agree(asked);
    expect(made.path).toMatch(/^\/studio\?generation=gen_/);
    expect(made.text).toContain('Generating 3 videos.');
    expect(await prompts()).toEqual(['first', 'second', 'first']);
    expect(await balance()).toBe(before - 3 * each);
  });

  test('that is sent twice creates each line once, and a changed one is another list', async () => {
    const before = (await prompts()).length;
    const asked = await ask('again\nagain');
    const pages = await Promise.all([agree(asked), agree(asked)]);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(1);
    expect(await prompts()).toHaveLength(before + 2);
    await agree(asked, { prompt: 'again\nonce more' });
    expect(await prompts()).toHaveLength(before + 4);
  });

  test('whose price the page did not show needs another confirmation', async () => {
    const before = await prompts();
    const asked = await ask('one\ntwo');
    const again = await agree(asked, { prompt: 'one\ntwo\nthree' });
    expect(again.text).toContain('<h1>Create 3 videos?</h1>');
    expect(again.field('shown_credits')).toBe(String(3 * each));
    expect(await prompts()).toEqual(before);
  });

  test.each([
    ['', 'Write a prompt first.'],
    [Array.from({ length: 21 }, (_, index) => `line ${index}`).join('\n'), 'Use at most 20 lines'],
    [`short\n${'x'.repeat(5_001)}`, 'line 2 has 5,001'],
  ])('%# is refused before it costs anything', async (prompt, words) => {
    const before = await prompts();
    const page = await ask(prompt);
    expect(page.status).toBe(400);
    expect(page.text).toContain(words);
    expect(await prompts()).toEqual(before);
  });

  test('of one line needs no confirmation', async () => {
    const made = await ask('alone\n');
    expect(made.path).toMatch(/^\/studio\?generation=gen_/);
    expect((await prompts()).at(-1)).toBe('alone');
  });

  test('returns to the studio unchanged', async () => {
    const asked = await ask('x\ny');
    const back = await agree(asked, { do: 'update' });
    expect(back.text).toMatch(/<textarea[^>]*>\s*x\ny<\/textarea>/);
    expect(back.text).toContain('<option value="lines" selected>');
  });

  test('of more lines than an account may create at once waits for its rate', async () => {
    const { gateway, accountId } = studio();
    const limits = { createsPerMinute: 240, burst: 10 };
    await setAccountLimits({ database: gateway.database, defaultLimits }, { accountId, limits });
    const images = { model: 'image-b-2', times: 'lines' };
    const text = Array.from({ length: 12 }, (_, index) => `image ${index + 1}`).join('\n');
    const asked = await ask(text, images);
    const made = await agree(asked, images);
    expect(made.text).toContain('Generating 12 images.');
    expect((await prompts()).slice(-12).join('\n')).toBe(text);
  });

  test('leaves the lines that exceed the credits in the form', async () => {
    const credits = await balance();
    const fits = Math.floor(credits / each);
    const left = credits - fits * each;
    const lines = Array.from({ length: fits + 2 }, (_, index) => `line ${index + 1}`);
    const asked = await ask(lines.join('\n'));
    expect(asked.text).toMatch(new RegExp(`enough for\\s+the first ${fits}`));
    const part = await agree(asked);
    expect(part.status).toBe(402);
    expect(part.text).toContain(`Generating ${fits} videos.`);
    const problem = `Lines ${fits + 1} to ${fits + 2}: This costs 50 credits, but you only have ${left}.`;
    expect(part.text).toContain(problem);
    expect(part.text).toMatch(new RegExp(`<textarea[^>]*>\\s*${lines.slice(-2).join('\n')}<`));
    expect(part.field('form_key')).not.toBe(asked.field('form_key'));
    expect((await prompts()).slice(-fits)).toEqual(lines.slice(0, fits));
    expect(await balance()).toBe(left);
  });
});
