import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { coversHost } from '@framegate/contract';
import { parseHostName, parseHostRule } from './inputUrl.ts';
import { checkSharedSuffix } from './sharedSuffix.ts';

describe('parseHostRule', () => {
  test.each([
    ['a.example', 'a.example'],
    ['CDN.A.Example', 'cdn.a.example'],
    ['*.media.example', '*.media.example'],
    ['*.A.B.Example', '*.a.b.example'],
    ['xn--80aj4a.xn--p1ai', 'xn--80aj4a.xn--p1ai'],
  ])('%s is a rule', (text, rule) => {
    expect(parseHostRule(text)).toEqual({ ok: true, rule });
  });

  test.each([
    ['', /Enter a host/],
    ['*', /wildcard/],
    ['*.', /wildcard/],
    ['*.com', /wildcard/],
    ['*.co uk', /wildcard/],
    ['*.*.example', /wildcard/],
    ['a.*.example', /wildcard/],
    ['*a.b.example', /wildcard/],
    ['.a.example', /host name/],
    ['https://a.example', /only the host name/],
    ['a.example/x', /only the host name/],
    ['a.example:443', /only the host name/],
    ['127.0.0.1', /IP addresses/],
    ['*.0.0.1', /wildcard/],
    ['[::1]', /IP addresses/],
    ['*.internal', /wildcard/],
    ['db.internal', /public host/],
    ['a.example.', /dot at the end/],
    ['фото.example', /Punycode/],
    ['a b.example', /host name/],
  ])('%p is not, with the reason in one sentence', (text, reason) => {
    const parsed = parseHostRule(text);
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(parsed).toMatchObject({ reason: expect.stringMatching(/^[A-Z].*\.$/) });
  });
});

describe('coversHost', () => {
  const rules = ['a.example', '*.media.example'];

  test.each(['a.example', 'x.media.example', 'y.x.media.example'])('%s is covered', (host) => {
    expect(coversHost(rules, host)).toBe(true);
  });

  test.each([
    'media.example',
    '.media.example',
    'xmedia.example',
    'b.a.example',
    'a.example.evil.example',
    'x.media.example.evil.example',
    'example',
    '',
  ])('%p is not', (host) => {
    expect(coversHost(rules, host)).toBe(false);
  });

  test('an empty list covers nothing', () => {
    expect(coversHost([], 'a.example')).toBe(false);
  });

  const name = fc
    .array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/), { minLength: 1, maxLength: 3 })
    .map((labels) => `${labels.join('.')}.example`);

  test('an exact rule covers its own host only, a wildcard exactly the names below', () => {
    fc.assert(
      fc.property(name, name, fc.stringMatching(/^[a-z]{1,5}$/), (suffix, other, below) => {
        expect(coversHost([suffix], suffix)).toBe(true);
        expect(coversHost([suffix], other)).toBe(suffix === other);
        expect(coversHost([`*.${suffix}`], `${below}.${suffix}`)).toBe(true);
        expect(coversHost([`*.${suffix}`], suffix)).toBe(false);
        expect(coversHost([`*.${suffix}`], `${below}${suffix}`)).toBe(false);
      }),
    );
  });

  test('every parsed rule round-trips', () => {
    fc.assert(
      fc.property(name, fc.boolean(), (host, wildcard) => {
        const rule = wildcard ? `*.${host}` : host;
        expect(parseHostRule(rule.toUpperCase())).toEqual({ ok: true, rule });
        expect(parseHostName(host)).toEqual({ ok: true, host });
      }),
    );
  });
});

describe('wildcards that cover other owners', () => {
  test.each(['*.co.uk', '*.com.au', '*.gov.br', '*.k12.ca.us', '*.xn--fiqs8s', '*.a.ck'])(
    '%s is refused, listed or not: a registry',
    (rule) => {
      expect(checkSharedSuffix(rule, [rule])).toMatchObject({
        ok: false,
        problem: 'registry',
      });
    },
  );

  test.each([
    '*.s3.amazonaws.com',
    '*.s3.eu-west-1.amazonaws.com',
    '*.amazonaws.com',
    '*.cloudfront.net',
    '*.blob.core.windows.net',
    '*.core.windows.net',
    '*.windows.net',
    '*.googleapis.com',
    '*.storage.googleapis.com',
    '*.digitaloceanspaces.com',
    '*.ams3.digitaloceanspaces.com',
    '*.r2.dev',
    '*.r2.cloudflarestorage.com',
    '*.cloudflarestorage.com',
    '*.backblazeb2.com',
    '*.wasabisys.com',
    '*.github.io',
    '*.vercel.app',
    '*.supabase.co',
  ])('%s is refused unless the operator lists it: a store', (rule) => {
    const refused = checkSharedSuffix(rule, ['*.other.example', rule.slice(2)]);
    expect(refused).toMatchObject({
      ok: false,
      problem: 'store',
    });
    expect(checkSharedSuffix(rule, [rule])).toEqual({ ok: true, rule });
  });

  test.each([
    'co.uk',
    's3.amazonaws.com',
    'bucket.s3.amazonaws.com',
    '*.bucket.s3.amazonaws.com',
    '*.media.example',
    '*.customer.co.uk',
    '*.shop.com',
    '*.account.blob.core.windows.net',
  ])('%s belongs to one owner', (rule) => {
    expect(checkSharedSuffix(rule, [])).toEqual({ ok: true, rule });
  });
});
