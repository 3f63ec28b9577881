import { generateKeyPairSync, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../support/runNode.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyPairId = 'K2JCJMDEHXQW5F';

type CookiesFor = (options: Record<string, unknown>) => string[];

async function cookiesOfTheGuide(): Promise<CookiesFor> {
  const page = await readFile(join(projectRoot, 'docs/deploy/media.md'), 'utf8');
  const scripts = [...page.matchAll(/```js\n([\s\S]+?)```/g)].map(([, code = '']) => code);
  const code = scripts.find((each) => each.includes('cookiesFor')) ?? '';
  return runInNewContext(`${code}; cookiesFor`, {
    require: createRequire(import.meta.url),
    Buffer,
  }) as CookiesFor;
}

/** Stands in for CloudFront: decodes the policy, verifies its signature and compares URL and time with it. */
function isOpened(cookies: readonly string[], address: string, seconds: number): boolean {
  const { pathname, hostname } = new URL(address);
  const sent = new Map<string, string>();
  for (const cookie of cookies) {
    const [pair = '', ...attributes] = cookie.split('; ');
    const given = new Map(attributes.map((each) => each.split('=') as [string, string]));
    const isSent =
      hostname.endsWith(`.${given.get('Domain') ?? ''}`) &&
      pathname.startsWith(given.get('Path') ?? '');
    const mark = pair.indexOf('=');
    if (isSent) sent.set(pair.slice(0, mark), pair.slice(mark + 1));
  }
  const letters: Record<string, string> = { '-': '+', _: '=', '~': '/' };
  const decode = (name: string) => {
    const text = sent.get(`CloudFront-${name}`) ?? '';
    return Buffer.from(
      text.replace(/[-_~]/g, (each) => letters[each] ?? ''),
      'base64',
    );
  };
  if (sent.get('CloudFront-Key-Pair-Id') !== keyPairId) return false;
  const policy = decode('Policy');
  if (!verify('RSA-SHA1', policy, publicKey, decode('Signature'))) return false;
  const { Statement } = JSON.parse(policy.toString()) as {
    Statement: [
      { Resource: string; Condition: { DateLessThan: { 'AWS:EpochTime': number } } },
      ...unknown[],
    ];
  };
  const [{ Resource, Condition }] = Statement;
  const pattern = Resource.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const isNamed = Statement.length === 1 && new RegExp(`^${pattern}$`).test(address);
  return isNamed && seconds < Condition.DateLessThan['AWS:EpochTime'];
}

test('the cookies of docs/deploy/media.md open the files named by the guide until they expire', async () => {
  const cookiesFor = await cookiesOfTheGuide();
  const base = 'https://files.example.com';
  const made = (pattern: string, path: string) =>
    cookiesFor({
      pattern: base + pattern,
      path,
      domain: 'example.com',
      expires: 1_000,
      keyPairId,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
  const all = made('/outputs/*', '/outputs/');
  const one = made('/outputs/gen_a/*', '/outputs/gen_a/');
  for (const cookie of [...all, ...one]) {
    expect(cookie).toMatch(/; Secure; HttpOnly; SameSite=Lax$/);
  }
  const opened = (cookies: string[], path: string, seconds = 999) =>
    isOpened(cookies, base + path, seconds);
  expect(opened(all, '/outputs/gen_a/0.mp4')).toBe(true);
  expect(opened(all, '/outputs/gen_b/1.png')).toBe(true);
  expect(opened(all, '/inputs/gen_a/0.png')).toBe(false);
  expect(opened(one, '/outputs/gen_a/0.mp4')).toBe(true);
  expect(opened(one, '/outputs/gen_b/0.mp4')).toBe(false);
  expect(opened(all, '/outputs/gen_a/0.mp4', 1_000)).toBe(false);
  const forged = all.map((each) =>
    each.replace(
      /^(CloudFront-Signature=)(.)/,
      (_, name: string, first: string) => name + (first === 'A' ? 'B' : 'A'),
    ),
  );
  const swapped = [one[0] ?? '', ...all.slice(1)];
  for (const wrong of [forged, swapped, all.slice(1), all.slice(0, 2)]) {
    expect(opened(wrong, '/outputs/gen_a/0.mp4')).toBe(false);
  }
});
