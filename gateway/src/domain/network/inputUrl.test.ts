import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostileUrls } from '../../../../test/media/hostileUrls.ts';
import { parseInputUrl } from './inputUrl.ts';

describe('parseInputUrl refuses, with advice', () => {
  test('the corpus has at least 60 different URLs', () => {
    expect(new Set(hostileUrls.map(({ url }) => url)).size).toBe(hostileUrls.length);
    expect(hostileUrls.length).toBeGreaterThanOrEqual(120);
  });

  test.each(hostileUrls)('$why: $url', ({ url, reason }) => {
    const result = parseInputUrl(url);
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(result).toMatchObject({ reason: expect.stringMatching(/^[A-Z].*\.$/) });
  });
});

describe('parseInputUrl accepts', () => {
  test.each([
    ['https://a.example/x.png', 'a.example', 'https://a.example/x.png'],
    ['HTTPS://CDN.A.Example/X.png', 'cdn.a.example', 'https://cdn.a.example/X.png'],
    ['https://a.example:443/x.png', 'a.example', 'https://a.example/x.png'],
    ['https://a.example', 'a.example', 'https://a.example/'],
    ['https://a.example?x=1', 'a.example', 'https://a.example/?x=1'],
    ['https://a.example/?', 'a.example', 'https://a.example/?'],
    ['https://a.example//x//y', 'a.example', 'https://a.example//x//y'],
    ['https://xn--80aj4a.xn--p1ai/x', 'xn--80aj4a.xn--p1ai', 'https://xn--80aj4a.xn--p1ai/x'],
    ['https://r3---sn-a.example/x', 'r3---sn-a.example', 'https://r3---sn-a.example/x'],
    ['https://127.0.0.1.nip.io/x', '127.0.0.1.nip.io', 'https://127.0.0.1.nip.io/x'],
    ['https://3d.example/x', '3d.example', 'https://3d.example/x'],
    ['https://a.invalid/x', 'a.invalid', 'https://a.invalid/x'],
    ['https://a.example/%D1%84.png', 'a.example', 'https://a.example/%D1%84.png'],
    ["https://a.example/x'y?z='1'", 'a.example', "https://a.example/x'y?z=%271%27"],
    ['https://a.example/a@b:c;d=e,f', 'a.example', 'https://a.example/a@b:c;d=e,f'],
    [
      'https://a.example/?u=https://b.example/@x',
      'a.example',
      'https://a.example/?u=https://b.example/@x',
    ],
    [
      'https://a.example/o?X-Amz-Credential=K%2F20260101%2Fs3&X-Amz-Signature=ab',
      'a.example',
      'https://a.example/o?X-Amz-Credential=K%2F20260101%2Fs3&X-Amz-Signature=ab',
    ],
  ])('%s', (written, host, url) => {
    expect(parseInputUrl(written)).toEqual({ ok: true, host, url });
  });

  test('2,048 characters', () => {
    const url = `https://a.example/${'x'.repeat(2030)}`;
    expect(url).toHaveLength(2048);
    expect(parseInputUrl(url)).toEqual({ ok: true, host: 'a.example', url });
  });
});

describe('parseInputUrl, for any text', () => {
  /** Text composed of the parts used in URL tricks. */
  const tricky = fc
    .array(
      fc.constantFrom(
        ...[
          'https',
          'http',
          ':',
          '/',
          '//',
          '\\',
          '@',
          '#',
          '?',
          '.',
          '..',
          '%2e',
          '%00',
          '[',
          ']',
        ],
        ...[
          '::1',
          '127.0.0.1',
          '0x7f',
          '1',
          'a',
          'example',
          'localhost',
          '443',
          '80',
          '\t',
          ' ',
          'é',
        ],
        ...['*', '-', '_', "'", '"', 'xn--a', 'A'],
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));

  test('never throws, and accepts only the host that a parser connects to', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          tricky,
          tricky.map((rest) => `https://a.example${rest}`),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const result = parseInputUrl(text);
          if (!result.ok) return;
          const parsed = new URL(text);
          expect(parsed.hostname).toBe(result.host);
          expect(parsed.href).toBe(result.url);
          expect([
            parsed.protocol,
            parsed.port,
            parsed.username,
            parsed.password,
            parsed.hash,
          ]).toEqual(['https:', '', '', '', '']);
          expect(parseInputUrl(result.url)).toEqual(result);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
