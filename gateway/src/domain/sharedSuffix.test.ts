import { describe, expect, test } from 'vitest';
import { checkSharedSuffix } from './sharedSuffix.ts';

describe('wildcards that cover other people', () => {
  test.each(['*.co.uk', '*.com.au', '*.gov.br', '*.k12.ca.us', '*.xn--fiqs8s', '*.a.ck'])(
    '%s is refused, listed or not: a registry',
    (rule) => {
      expect(checkSharedSuffix(rule, [rule])).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/would cover everybody/),
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
      reason: expect.stringMatching(/all its customers/),
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
