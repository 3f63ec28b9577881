import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeAccount, targetById } from '../../gateway/src/application/accounts/changeAccount.ts';
import { approveHost } from '../../gateway/src/application/keys/keys.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import type { KeyHost } from '../../gateway/src/domain/accounts/apiKey.ts';
import { hostileUrls } from '../media/hostileUrls.ts';
import { imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: an input URL makes the gateway fetch from a place that no one approved: by a name that looks like an
 * approved one, by a wildcard that covers everyone, by a host that was only requested.
 */

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  account = await gateway.addAccount({ hosts: ['media.example.com', '*.cdn.example.com'] });
});
afterAll(() => gateway.stop());

const createWith = async (url: string) => {
  const inputs = [imageInput(url)];
  const response = await account.post('/v1/videos', video({ mode: 'image-to-video', inputs }));
  const { error } = response.json as { error?: { code: string; message: string } };
  return { status: response.status, error };
};

describe('hosts that look like an approved one', () => {
  test.each([
    'https://media.example.com.evil.example/a.png',
    'https://media.example.com-evil.example/a.png',
    'https://evilmedia.example.com/a.png',
    'https://evil.media.example.com/a.png',
    'https://media-example.com/a.png',
    'https://media.example.co/a.png',
    'https://media.example.comm/a.png',
    'https://example.com/a.png',
    'https://xn--mdia-bpa.example.com/a.png',
    'https://media.xn--exmple-cua.com/a.png',
    'https://cdn.example.com/a.png',
    'https://evilcdn.example.com/a.png',
    'https://a.cdn.example.com.evil.example/a.png',
    'https://a.cdn.example.org/a.png',
    'https://rnedia.example.com/a.png',
  ])('%s is not approved', async (url) => {
    expect(await createWith(url)).toMatchObject({
      status: 403,
      error: { code: 'input_host_not_approved' },
    });
  });

  test.each([
    'https://media.example.com/a.png',
    'https://MEDIA.example.com:443/a.png',
    'https://a.cdn.example.com/a.png',
    'https://a.b.cdn.example.com/a.png',
  ])('%s is', async (url) => {
    expect(await createWith(url)).toMatchObject({ status: 202 });
  });
});

test('every hostile URL is refused over the API before any charge, with advice', async () => {
  const before = (await account.get('/v1/credits/balance')).text.replace(/"as_of":"[^"]*"/, '');
  const responses = new Map<string, string>();
  for (const { url, why, reason } of hostileUrls) {
    const { status, error } = await createWith(url);
    // An empty URL has an invalid form, as does one longer than its field.
    const isRefused =
      status === 400 && /^(input_url_invalid|invalid_request)$/.test(error?.code ?? '');
    const isTold = error?.code === 'invalid_request' || reason.test(error?.message ?? '');
    if (!isRefused || !isTold) responses.set(why, `${status} ${error?.code} ${error?.message}`);
  }
  expect(Object.fromEntries(responses)).toEqual({});
  const after = (await account.get('/v1/credits/balance')).text.replace(/"as_of":"[^"]*"/, '');
  expect(after).toBe(before);
});

describe('a host works for a key only when it is approved', () => {
  test.each([
    ['requested', 403, 'waiting for approval'],
    ['refused', 403, 'URL, files.example.com, is not approved for this API key'],
    ['approved', 202, '"queued"'],
  ] as const)('%s: %i', async (state, status, words) => {
    const { database } = gateway;
    const other = await gateway.addAccount();
    const host: KeyHost = { rule: 'files.example.com', state };
    await changeAccount(database, targetById(database, other.accountId), (before) => ({
      after: { ...before, keys: before.keys.map((key) => ({ ...key, hosts: [host] })) },
    }));
    const inputs = [imageInput('https://files.example.com/a.png')];
    const body = video({ mode: 'image-to-video', inputs });
    const response = await other.post('/v1/videos', body);
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(words)]);
  });
});

describe("wildcards over other people's hosts", () => {
  const approve = (host: string, autoApprovedHosts: string[] = []) => {
    const { database, clock } = gateway;
    return approveHost({ database, clock, autoApprovedHosts }, { keyId: account.keyId, host });
  };

  test.each([
    '*.com',
    '*.co.uk',
    '*.s3.amazonaws.com',
    '*.amazonaws.com',
    '*.github.io',
    '*',
    '*.*',
  ])('%s is not approved, with the reason', async (host) => {
    await expect(approve(host)).rejects.toMatchObject({ code: 'host_invalid' });
    await expect(approve(host)).rejects.toThrow(/would match|at least two parts/);
  });

  test('a wildcard of a store is approved if the operator lists it, one of a registry never', async () => {
    expect(await approve('*.s3.amazonaws.com', ['*.s3.amazonaws.com'])).toBe('*.s3.amazonaws.com');
    await expect(approve('*.co.uk', ['*.co.uk'])).rejects.toThrow(
      /would match other people's domains/,
    );
    const listed = loadConfig({ AUTO_APPROVED_HOSTS: '*.s3.amazonaws.com' });
    expect(listed.inputHosts.autoApproved).toEqual(['*.s3.amazonaws.com']);
    expect(() => loadConfig({ AUTO_APPROVED_HOSTS: '*.co.uk' })).toThrow(
      /would match other people's domains/,
    );
  });
});
