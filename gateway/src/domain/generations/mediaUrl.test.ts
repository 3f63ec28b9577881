import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import {
  mediaKey,
  parseOwnOutputUrl,
  signInputUrl,
  signOutputUrl,
  verifyMediaUrl,
} from './mediaUrl.ts';

const generationId = 'gen_01jd00000000000000000000ab';
const mediaUrl = 'http://127.0.0.1:8080/media';
const at = Date.UTC(2026, 10, 21, 6, 0, 0);
const keys = [
  { version: '2', secret: 'newer secret' },
  { version: '1', secret: 'older secret' },
];
const output = { generationId, index: 0, extension: 'mp4', mediaUrl, signingKeys: keys };
const farAway = at + 100 * hourMs;

const signed = (nowMs = at, removedAt = farAway) => signOutputUrl({ ...output, nowMs, removedAt });
const own = (url: string, nowMs = at, signingKeys = keys) =>
  parseOwnOutputUrl(url, mediaUrl, signingKeys, nowMs);

const expired = { ok: false, reason: 'expired' };
const invalid = { ok: false, reason: 'invalid' };

describe('signOutputUrl', () => {
  test('names file, expiry, key and signature', () => {
    expect(signed().url).toMatch(
      /^http:\/\/127\.0\.0\.1:8080\/media\/outputs\/gen_01jd00000000000000000000ab\/0\.mp4\?expires=1795327200&key=2&signature=[\w-]{43}$/,
    );
    expect(signed().expiresAt).toBe(at + dayMs);
  });

  test('is equal for every read of an hour and changes in the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: hourMs - 1 }), (ms) => {
        expect(signed(at + ms)).toEqual(signed(at));
        expect(signed(at + hourMs + ms).url).not.toBe(signed(at).url);
      }),
    );
  });

  test('never outlives the file, and gives its expiry in whole seconds, rounded down', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 30 * hourMs }), (ms) => {
        const { url, expiresAt } = signed(at, at + ms);
        expect(expiresAt).toBeLessThanOrEqual(at + ms);
        expect(expiresAt).toBe(Math.floor(Math.min(at + ms, at + dayMs) / 1000) * 1000);
        expect(url).toContain(`expires=${expiresAt / 1000}&`);
      }),
    );
  });

  test('signs alike whatever was signed before, and with the secret of its own key', () => {
    const first = signed().url;
    for (let index = 0; index < 2_100; index += 1) {
      signOutputUrl({
        ...output,
        index: index % 999,
        nowMs: at + index * hourMs,
        removedAt: Infinity,
      });
    }
    expect(signed().url).toBe(first);
    const others = [{ version: '2', secret: 'of another gateway' }];
    expect(own(first, at, others)).toEqual(invalid);
  });

  test('needs a key', () => {
    const withoutKeys = { ...output, signingKeys: [], nowMs: at, removedAt: at };
    expect(() => signOutputUrl(withoutKeys)).toThrow('empty');
  });
});

describe('parseOwnOutputUrl', () => {
  test('recognises a URL of ours until it expires', () => {
    const { url, expiresAt } = signed();
    const good = { ok: true, generationId, index: 0, extension: 'mp4', expiresAt };
    expect(own(url)).toEqual(good);
    expect(own(url, expiresAt - 1)).toEqual(good);
    expect(own(url, expiresAt)).toEqual(expired);
  });

  test('accepts the signature of any listed key, and of no other', () => {
    const old = signOutputUrl({
      ...output,
      signingKeys: keys.slice(1),
      nowMs: at,
      removedAt: farAway,
    });
    expect(own(old.url)).toMatchObject({ generationId });
    expect(own(old.url, at, keys.slice(0, 1))).toEqual(invalid);
    expect(own(old.url.replace('key=1', 'key=2'))).toEqual(invalid);
    expect(own(old.url, at, [{ version: '1', secret: 'another' }])).toEqual(invalid);
  });

  test('allows further fields, but no duplicate of its own', () => {
    const { url } = signed();
    expect(own(`${url}&download=1`)).toMatchObject({ index: 0 });
    expect(own(`${url}&expires=9999999999`)).toEqual(invalid);
    expect(own(`${url}&signature=x`)).toEqual(invalid);
  });

  test.each([
    ['another host', signed().url.replace('127.0.0.1', '127.0.0.2')],
    ['another scheme', signed().url.replace('http:', 'https:')],
    ['a host in front', signed().url.replace('http://', 'http://a@')],
    ['another folder', signed().url.replace('/outputs/', '/other/')],
    ['a customer host', 'https://a.example/x.png'],
    ['the media address alone', mediaUrl],
  ])('%s is not ours', (_, url) => {
    expect(own(url)).toBeNull();
  });

  test.each([
    ['another generation', signed().url.replace('ab/', 'ac/')],
    ['another number', signed().url.replace('/0.mp4', '/1.mp4')],
    ['the number otherwise', signed().url.replace('/0.mp4', '/00.mp4')],
    ['another extension', signed().url.replace('.mp4', '.png')],
    ['a later expiry', signed().url.replace('expires=1', 'expires=2')],
    ['the expiry otherwise', signed().url.replace('expires=1', 'expires=01')],
    ['no signature', signed().url.replace(/&signature=.*/, '')],
    ['an empty signature', signed().url.replace(/signature=.*/, 'signature=')],
    ['no query', signed().url.replace(/\?.*/, '')],
    ['a fragment', `${signed().url}#x`],
    ['dots in the path', signed().url.replace('/outputs/', '/outputs/../outputs/')],
    ['a path below', signed().url.replace('0.mp4', '0.mp4/x')],
    ['encoded characters', signed().url.replace('/0.mp4', '/%30.mp4')],
  ])('%s is invalid', (_, url) => {
    expect(own(url)).toEqual(invalid);
  });

  test('any other character anywhere makes it invalid or not ours', () => {
    const { url } = signed();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: url.length - 1 }),
        fc.constantFrom('0', 'z', '-', '_', 'Z', '='),
        (place, character) => {
          const other = url.slice(0, place) + character + url.slice(place + 1);
          if (other === url) return;
          expect([invalid, null]).toContainEqual(own(other));
        },
      ),
    );
  });
});

describe('input URLs', () => {
  const input = { generationId, index: 3, extension: 'jpg', mediaUrl, signingKeys: keys };
  const parts = (url: string) => {
    const { pathname, search } = new URL(url);
    return { path: pathname.replace('/media', ''), query: search, signingKeys: keys };
  };

  test('are valid for the requested time', () => {
    const { url, expiresAt } = signInputUrl({ ...input, nowMs: at, validMs: minuteMs });
    expect(expiresAt).toBe(at + minuteMs);
    const seen = { purpose: 'inputs' as const, ...parts(url) };
    expect(verifyMediaUrl({ ...seen, nowMs: at + 59_999 })).toEqual({
      ok: true,
      generationId,
      index: 3,
      extension: 'jpg',
      expiresAt,
    });
    expect(verifyMediaUrl({ ...seen, nowMs: at + minuteMs })).toEqual(expired);
  });

  test('do not work as output URLs, nor the reverse', () => {
    const asInput = parts(signInputUrl({ ...input, nowMs: at, validMs: minuteMs }).url);
    const asOutput = parts(signOutputUrl({ ...input, nowMs: at, removedAt: farAway }).url);
    const moved = (path: string, from: string, to: string) => path.replace(from, to);
    const outputPath = moved(asInput.path, '/inputs/', '/outputs/');
    const inputPath = moved(asOutput.path, '/outputs/', '/inputs/');
    const verify = (purpose: 'inputs' | 'outputs', path: string, of: typeof asInput) =>
      verifyMediaUrl({ ...of, purpose, path, nowMs: at });
    expect(verify('inputs', asInput.path, asInput)).toMatchObject({ index: 3 });
    expect(verify('outputs', outputPath, asInput)).toEqual(invalid);
    expect(verify('outputs', asInput.path, asInput)).toEqual(invalid);
    expect(verify('outputs', asOutput.path, asOutput)).toMatchObject({ index: 3 });
    expect(verify('inputs', inputPath, asOutput)).toEqual(invalid);
  });

  test('mediaKey is the path in the store', () => {
    expect(mediaKey('inputs', input)).toBe(`inputs/${generationId}/3.jpg`);
  });
});
