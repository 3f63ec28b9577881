import { expect, test } from '@jest/globals';
import { builtInBrand } from '../../gateway/src/domain/brand/brand.ts';
import { closedBreaker } from '../../gateway/src/domain/providers/breaker.ts';
import { modelBreakerKey } from '../../gateway/src/domain/providers/breakerKeys.ts';
import { statusPage } from '../../gateway/src/http/site/statusPage.ts';
import { plain } from '../support/plainCollection.ts';
import { until } from '../support/until.ts';
import { priceOn, useStudio } from './support/useStudio.ts';
import { createVisitor, type Page } from './support/visitor.ts';

/* Pages warn of a model's problems before a customer orders. */

const studio = useStudio();
const openedAt = new Date('2026-01-02T21:56:00Z');
const [soon, later] = [-1, 900_000];

/** Opens the circuits of these models, each half-open after this time in ms, and waits until pages show the last. */
async function open(waits: Record<string, number>): Promise<void> {
  const { breakers } = studio().gateway.collections;
  for (const [model, ms] of Object.entries(waits)) {
    const openUntil = new Date(Date.now() + ms);
    const breaker = { ...closedBreaker, openedAt, openUntil, busyUntil: new Date(0), version: 1 };
    const _id = modelBreakerKey({ provider: 'preview', model });
    await plain(breakers).insertOne({ _id, ...breaker });
  }
  const last = Object.keys(waits).at(-1) ?? '';
  await until(async () => !statusOn(await read(), last).includes('Working'));
}

const read = (headers = {}) => createVisitor(studio().gateway.origin, headers).get('/status');
const statusOn = ({ text }: Page, id: string) => {
  const name = id.replaceAll('.', '\\.');
  return plainText(new RegExp(`<tr id="${name}">([^]*?)</tr>`).exec(text)?.[1] ?? '');
};
const plainText = (part: string) =>
  part
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
/** The line about the chosen model. */
const trouble = ({ text }: Page) =>
  (/<div id="trouble">([^]*?)<\/div>/.exec(text)?.[1] ?? '').replace(/\s+/g, ' ').trim();

test('pages name the models with problems, and the composer offers one that makes the request', async () => {
  const before = await read();
  expect(before.text).toContain('All models are working.');
  await open({ 'image-a-2': later, 'alpha-2.5': soon, 'alpha-2.0-mini': soon, 'beta-3.0': soon });

  const page = await read();
  expect(page.text).toContain('Some models have problems or are unavailable.');
  expect(statusOn(page, 'beta-3.0')).toMatch(/^Beta 3\.0 Problems since 2 Jan, 21:56 UTC \d+ s$/);
  expect(statusOn(page, 'image-a-2')).toContain('Unavailable since 2 Jan, 21:56 UTC');
  expect(statusOn(page, 'alpha-2.0-pro')).toMatch(/^Alpha 2\.0 Pro Working \d+ s$/);
  expect(page.text).not.toMatch(/preview|circuit|breaker/i);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
  const same = await read({ 'if-none-match': page.headers.get('etag') ?? '' });
  expect(same.status).toBe(304);
  const german = await read({ 'accept-language': 'de' });
  expect(statusOn(german, 'beta-3.0')).toContain('Probleme seit 2. Jan.');

  const fields = {
    model: 'beta-3.0',
    mode: 'text-to-video',
    prompt: 'a harbour',
    'parameters.duration_seconds': '5',
    'parameters.aspect_ratio': '9:16',
  };
  const shown = trouble(await studio().update(fields));
  expect(plainText(shown)).toBe(
    'Beta 3.0 has had problems since 2 Jan, 21:56 UTC. Most requests fail right now. Use Alpha 2.0 Pro (70 credits) Status of all models',
  );
  expect(shown).toContain('href="/status"');
  const wish = /<button [^>]*value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const changed = await studio().visitor.post('/studio', { ...fields, do: wish });
  expect(changed.text).toMatch(/name="model" value="alpha-2\.0-pro" checked/);
  expect(changed.text).toMatch(/<textarea[^>]*name="prompt"[^>]*>\s*a harbour</);
  expect(changed.text).toMatch(/<option value="9:16" selected/);
  expect([priceOn(changed), trouble(changed)]).toEqual([70, '']);

  const image = trouble(await studio().update({ model: 'image-a-2' }));
  expect(image).toMatch(/^<p [^>]*> Image A 2 has been unavailable since <time[^>]*>2 Jan, 21:56/);

  // Other models take no references, or have problems themselves.
  const references = { model: 'alpha-2.5', mode: 'multimodal-to-video' };
  expect(trouble(await studio().update(references))).toContain('Use Alpha 2.0 Pro');
  await open({ 'alpha-2.0-fast': soon, 'alpha-2.0-pro': soon });
  expect(trouble(await studio().update(references))).toContain('has had problems');
  expect(trouble(await studio().update(references))).not.toContain('<button');
  expect(trouble(await studio().update(fields))).toContain('Use Alpha 2.5 Lite');
});

test.each(['/', '/studio', '/sign-in'])('the footer of %s links to the status', async (path) => {
  const { text } = await studio().visitor.get(path);
  expect(text).toMatch(/<footer>[^]*href="\/status"/);
});

test('the status page reports a slow model at its top', () => {
  const model = { id: 'beta-3.0', displayName: 'Beta 3.0' };
  const status = { kind: 'slow', sinceMs: null } as const;
  const page = statusPage(builtInBrand, [{ model, status, usualSeconds: 30 }], ['en']);
  expect(plainText(page)).toContain('All models are working; some take longer than usual.');
});
