import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { projectRoot } from '../support/runNode.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor } from './support/visitor.ts';

/* Showpieces of BRAND_FILE, as in the example of docs/operating/brand.md. */

const clipFile = join(projectRoot, 'gateway/media/test/reordered.mp4');
const pictureFile = join(projectRoot, 'gateway/assets/start.webp');
let folder: string;
let gateway: TestGateway;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-showpieces-'));
  const page = await readFile(join(projectRoot, 'docs/operating/brand.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => json);
  const BRAND_FILE = join(folder, 'brand.json');
  await writeFile(BRAND_FILE, examples.find((json) => json.includes('showpieces')) ?? '');
  await cp(pictureFile, join(folder, 'showpieces/boat.webp'));
  await cp(pictureFile, join(folder, 'showpieces/harbour.webp'));
  await cp(clipFile, join(folder, 'showpieces/harbour.mp4'));
  gateway = await startTestGateway({ ROLE: 'api', BRAND_FILE });
  // The list is read once.
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const directives = (headers: Headers) => (headers.get('content-security-policy') ?? '').split('; ');
const filePath = async (pattern: RegExp) => {
  const { text } = await createVisitor(gateway.origin).get('/');
  return gateway.origin + (pattern.exec(text)?.[1] ?? '/no-such-path');
};
const clipPath = () => filePath(/src="(\/site\/showpieces\/[0-9a-f]{32}\.mp4)"/);
const picturePath = () => filePath(/img src="(\/site\/showpieces\/[0-9a-f]{32}\.webp)"/);

test('the start page shows files and addresses, clips first, and allows their hosts', async () => {
  const { text, headers } = await createVisitor(gateway.origin, { 'accept-language': 'de' }).get(
    '/',
  );
  const labels = [...text.matchAll(/(?:aria-label|alt)="(Mit [^"]+)"/g)].map(([, label]) => label);
  expect(labels).toEqual([
    'Mit Alpha 2.0 Pro erstellt',
    'Mit Alpha 2.0 Fast erstellt',
    'Mit Image B 2 erstellt',
  ]);
  expect(text).toMatch(
    /<video\s+muted\s[^>]*preload="none"\s+src="https:\/\/media\.aurora\.example\/street\.mp4"\s+poster="https:\/\/media\.aurora\.example\/street\.jpg"/,
  );
  expect(directives(headers)).toEqual(
    expect.arrayContaining([
      "img-src 'self' https://media.aurora.example",
      "media-src 'self' https://media.aurora.example",
    ]),
  );
});

test('the studio shows pictures on the cards of models, and only its policy allows their hosts', async () => {
  const visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'looks@example.com');
  const studio = await visitor.get('/studio');
  const path = (await picturePath()).slice(gateway.origin.length);
  expect(studio.text).toContain(`src="${path}"`);
  expect(studio.text).toContain('src="https://media.aurora.example/street.jpg"');
  const allowed = async (page: { headers: Headers }) =>
    directives(page.headers).filter((each) => each.includes('aurora.example'));
  expect(await allowed(studio)).toEqual([expect.stringMatching(/^img-src /)]);
  expect(await allowed(await visitor.get('/history'))).toEqual([]);
});

test('files are served to everyone as they were at startup, in parts as well', async () => {
  const clip = await clipPath();
  const whole = await fetch(clip);
  const bytes = await readFile(clipFile);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  const told = (response: Response, ...names: string[]) => [
    response.status,
    ...names.map((name) => response.headers.get(name)),
  ];
  expect(
    told(whole, 'content-type', 'cache-control', 'content-security-policy', 'accept-ranges'),
  ).toEqual([
    200,
    'video/mp4',
    'public, max-age=31536000, immutable',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    'bytes',
  ]);
  const range = 'bytes=10-19';
  const part = await fetch(clip, { headers: { range } });
  expect(told(part, 'content-range')).toEqual([206, `bytes 10-19/${bytes.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
  const other = await fetch(clip, { headers: { range, 'if-range': '"of another file"' } });
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  const beyond = await fetch(clip, { headers: { range: `bytes=${bytes.length}-` } });
  expect(beyond.status).toBe(416);

  const picture = await fetch(await picturePath());
  expect(told(picture, 'content-type')).toEqual([200, 'image/webp']);
  const etag = picture.headers.get('etag') ?? '';
  const again = await fetch(picture.url, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  const unknown = await fetch(
    clip.replace(/.\.mp4$/, (end) => (end === '0.mp4' ? '1.mp4' : '0.mp4')),
  );
  expect(told(unknown, 'cache-control')).toEqual([404, 'no-store']);
});
