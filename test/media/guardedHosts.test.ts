import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileUrls } from './hostileUrls.ts';
import { failureOf, host, useMediaHost } from './mediaHost.ts';
import { createTlsAuthority } from './tlsAuthority.ts';

/* Which hosts the guarded client takes files from: by certificate, by address, or from a folder. */

const media = useMediaHost();

describe('the guarded client verifies TLS', () => {
  test('an authority that is not trusted', async () => {
    expect(await failureOf(media.fetchFrom({ extraCa: [] }))).toMatchObject({
      kind: 'unreachable',
    });
    const other = createTlsAuthority().cert;
    expect(await failureOf(media.fetchFrom({ extraCa: [other] }))).toMatchObject({
      kind: 'unreachable',
    });
    expect(media.requests).toHaveLength(0);
  });

  test('a certificate for another name, also where the operator set the address', async () => {
    const hostOverrides = new Map([['other.example', media.override]]);
    const failure = await failureOf(
      media.fetchFrom({ hostOverrides }, { url: 'https://other.example/x' }),
    );
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/ALTNAME/);
    expect(media.requests).toHaveLength(0);
  });
});

describe('the guarded client connects to public addresses only', () => {
  const noOverride = { hostOverrides: new Map() };

  test.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['fe80::1'],
    ['93.184.215.14', '127.0.0.1'],
    ['::1', '93.184.215.14'],
  ])('a name that leads to %s %s', async (...addresses) => {
    const asked: string[] = [];
    const failure = await failureOf(
      media.fetchFrom({
        ...noOverride,
        resolveHost: async (name) => {
          asked.push(name);
          return addresses;
        },
      }),
    );
    expect(failure.message).toMatch(/is not public/);
    expect(asked).toEqual([host]);
  });

  test('refuses a name that resolves differently each time (rebinding)', async () => {
    const responses = [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['::ffff:169.254.169.254']];
    let asked = 0;
    const resolveHost = async () => responses[asked++] ?? [];
    for (const addresses of responses) {
      // The check and the socket share one look-up: each connection asks once, and no more.
      const failure = await failureOf(media.fetchFrom({ ...noOverride, resolveHost }));
      expect(failure.message).toContain(`address ${addresses.at(-1)} is not public`);
    }
    expect(asked).toBe(responses.length);
    expect(media.requests).toHaveLength(0);
  });

  test('refuses a name without an address, and one unknown to DNS', async () => {
    const none = await failureOf(media.fetchFrom({ ...noOverride, resolveHost: async () => [] }));
    expect(none).toMatchObject({ kind: 'unreachable', message: 'no address' });
    const unknown = async () =>
      Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const failure = await failureOf(media.fetchFrom({ ...noOverride, resolveHost: unknown }));
    expect(failure.message).toMatch(/ENOTFOUND/);
  });

  test('resolves and connects for no URL that the rules refuse', async () => {
    const asked: string[] = [];
    const resolveHost = async (name: string) => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    for (const { url } of hostileUrls) {
      expect(await failureOf(media.fetchFrom({ resolveHost }, { url }))).toMatchObject({
        kind: 'unreachable',
      });
    }
    expect(asked).toEqual([]);
    expect(media.requests).toHaveLength(0);
  });
});

describe('a bundled host', () => {
  const samples = 'samples.framegate.example';
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'framegate-bundled-'));
    await writeFile(join(folder, 'harbour.jpg'), 'a picture');
    await writeFile(join(folder, 'secret'), 'a secret');
  });
  afterAll(() => rm(folder, { recursive: true }));
  const fetchSample = (path: string, maxBytes = 100) =>
    media.fetchFrom(
      {
        bundledHosts: new Map([[samples, folder]]),
        hostOverrides: new Map([[samples, media.override]]),
      },
      { url: `https://${samples}${path}`, maxBytes },
    );

  test('is answered from its folder, without the network', async () => {
    expect((await fetchSample('/harbour.jpg')).toString()).toBe('a picture');
    expect((await fetchSample('/harbour.jpg?x=1')).toString()).toBe('a picture');
    expect(media.requests).toHaveLength(0);
  });

  test('respects the limit', async () => {
    expect(await failureOf(fetchSample('/harbour.jpg', 8))).toMatchObject({ kind: 'too_large' });
  });

  test.each([
    '/',
    '/none.jpg',
    '/secret',
    '/%68arbour.jpg',
    '/..%2fsecret.jpg',
    '//harbour.jpg',
    '/harbour.jpg/',
    '/a/harbour.jpg',
    '/Harbour.jpg',
    '/harbour.jpg%00',
  ])('has nothing at %s', async (path) => {
    expect(await failureOf(fetchSample(path))).toMatchObject({ kind: 'unreachable' });
    expect(media.requests).toHaveLength(0);
  });
});
