import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { useStudio } from './support/useStudio.ts';

/* Pages behind the sign-in are compressed, and their lengths reveal no secret. */

const studio = useStudio();

/** The response to a page's request as transferred. */
async function sent(path: string, headers: Record<string, string>) {
  const { gateway, visitor } = studio();
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: Record<string, unknown>;
    body: Buffer;
  }>();
  request(gateway.origin + path, { headers: { cookie, ...headers } }, (response) => {
    buffer(response).then((body) => {
      resolve({ headers: response.headers, body });
    }, reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

const tokens = (page: string) =>
  new Set([...page.matchAll(/name="form_token" value="([^"]+)"/g)].map(([, token]) => token));
/** A page without the values that differ in each response. */
const shownOn = (page: string) =>
  page.replaceAll(/name="form_(token|key)" value="[^"]+"/g, '').replaceAll(/"shown_credits"/g, '');

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)('a page is sent as %s accepts it', async (accepted, encoding, decompress) => {
  const plain = await sent('/studio', {});
  expect(plain.headers['content-encoding']).toBeUndefined();
  const { headers, body } = await sent('/studio', { 'accept-encoding': accepted });
  expect(headers).toMatchObject({
    'content-encoding': encoding,
    'content-length': String(body.length),
    vary: 'Accept-Encoding, Sec-Fetch-Site',
  });
  expect(shownOn(decompress(body).toString())).toBe(shownOn(plain.body.toString()));
  expect(body.length).toBeLessThan(plain.body.length / 3);
});

test.each(['cross-site', 'same-site'])('a page that is opened %s is not compressed', async (by) => {
  const headers = { 'accept-encoding': 'br', 'sec-fetch-site': by };
  expect((await sent('/history?q=guess', headers)).headers['content-encoding']).toBeUndefined();
  const own = await sent('/history', { ...headers, 'sec-fetch-site': 'same-origin' });
  expect(own.headers['content-encoding']).toBe('br');
});

test('each response has another valid token; a changed one is invalid', async () => {
  const { visitor } = studio();
  const pages = [await visitor.get('/studio'), await visitor.get('/studio')];
  const [first, second] = pages.map(({ text }) => [...tokens(text)]);
  expect([first?.length, second?.length]).toEqual([1, 1]);
  const [early = '', late = ''] = [first?.[0], second?.[0]];
  // Neither the mask nor the masked token repeats.
  expect(early.slice(0, 40)).not.toBe(late.slice(0, 40));
  expect(early.slice(-40)).not.toBe(late.slice(-40));
  const post = (form_token: string) =>
    visitor.send('/studio', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ form_token, do: 'update' }),
    });
  for (const good of [early, late]) expect((await post(good)).status).toBe(200);
  const crossed = early.slice(0, 43) + late.slice(43);
  for (const bad of [crossed, late.slice(2), late.slice(0, 43), '']) {
    expect((await post(bad)).status).toBe(403);
  }
});
