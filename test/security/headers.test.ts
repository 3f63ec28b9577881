import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer } from '../http/startTestServer.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

/*
 * The attacks: a page of someone else's calls the API with a key that it has found, or frames the site;
 * a file that a browser runs acts on the site; a first request goes by plain http.
 */

const publicAddresses = {
  BASE_URL: 'https://api.gateway.example/v1',
  ACCOUNT_URL: 'https://gateway.example',
  MEDIA_URL: 'https://media.gateway.example',
};

let plain: TestGateway;
let behindTls: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  plain = await startTestGateway({ ROLE: 'api' });
  behindTls = await startTestGateway({ ROLE: 'api', TRUST_PROXY: '1', ...publicAddresses });
  account = await plain.addAccount();
});
afterAll(async () => {
  await plain.stop();
  await behindTls.stop();
});

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
}

/** `fetch` does not let its caller choose Host and Origin. */
const send = (origin: string, path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<Got>((resolve, reject) => {
    request(origin + path, { method, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers }),
      );
    })
      .once('error', reject)
      .end();
  });

const generation = `gen_${'0'.repeat(26)}`;
const paths = [
  '/',
  '/docs',
  '/sign-in',
  '/settings/public-api',
  '/staff',
  '/healthz',
  '/v1/models',
  '/v1/videos',
  '/v1/images',
  `/v1/generations/${generation}`,
  '/v1/credits/balance',
  '/v1/openapi.json',
  `/media/outputs/${generation}/0.mp4`,
  '/nowhere',
];

test.each([...paths, '/outputs/x', '/robots.txt', '/site.css'])(
  '%s loads nothing from others by default, and cannot be framed',
  async (path) => {
    for (const method of ['GET', 'POST']) {
      const { headers } = await send(plain.origin, path, {}, method);
      const policy = String(headers['content-security-policy']).split('; ');
      expect([path, policy]).toEqual([
        path,
        expect.arrayContaining([
          expect.stringMatching(/^default-src 'none'$/),
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]),
      ]);
    }
  },
);

describe('no CORS', () => {
  test.each(paths)('%s lets no other origin read it', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const headers = {
        origin: 'https://evil.example',
        authorization: `Bearer ${account.apiKey}`,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const { headers: got } = await send(plain.origin, path, headers, method);
      const cors = Object.keys(got).filter((name) => name.startsWith('access-control-'));
      expect([path, method, cors]).toEqual([path, method, []]);
    }
  });
});

describe('pages', () => {
  test.each(['/', '/docs', '/sign-in', '/sign-up'])('%s runs only our own code', async (path) => {
    const { status, headers } = await send(plain.origin, path, {});
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'|default-src 'self'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).toMatch(/base-uri 'none'/);
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(String(headers['referrer-policy'])).toMatch(/no-referrer|same-origin/);
  });
});

test('pages may show results of the CDN that MEDIA_DELIVERY=redirect leads to', async () => {
  const redirecting = await startTestGateway({
    ROLE: 'api',
    MEDIA_DELIVERY: 'redirect',
    MEDIA_REDIRECT_KEY: 'k'.repeat(32),
    MEDIA_REDIRECT_URL: 'https://cdn.example/files',
  });
  const { headers } = await send(redirecting.origin, '/sign-in', {});
  await redirecting.stop();
  const policy = String(headers['content-security-policy']).split('; ');
  for (const kind of ['img-src', 'media-src']) {
    expect(policy.find((each) => each.startsWith(kind))).toMatch(/ https:\/\/cdn\.example$/);
  }
});

describe('behind TLS', () => {
  const at = (host: string, path: string) => send(behindTls.origin, path, { host });

  test.each(['/', '/v1/models', '/v1/openapi.json', '/nowhere'])(
    '%s requires https, including its subdomains',
    async (path) => {
      const { headers } = await at('gateway.example', path);
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    },
  );

  test('excludes subdomains if the operator says so', async () => {
    const app = { isHttps: true, hstsIncludesSubdomains: false };
    const server = await startTestServer({ app });
    const { headers } = await send(server.url, '/healthz', {});
    await server.stop();
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('sends no header without https', async () => {
    const { headers } = await send(plain.origin, '/', {});
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  const file = `/outputs/${generation}/0.mp4?expires=1&signature=x`;
  const poster = `/posters_320/${generation}/0.webp?expires=1&signature=x`;
  test.each([
    ['gateway.example', file, 404],
    ['api.gateway.example', file, 404],
    ['GATEWAY.example', file, 404],
    ['media.gateway.example', file, 403],
    ['gateway.example', poster, 404],
    ['media.gateway.example', poster, 403],
    ['media.gateway.example', '/', 404],
    ['media.gateway.example', '/sign-in', 404],
    ['media.gateway.example', '/v1/models', 404],
    ['media.gateway.example', '/staff', 404],
    ['gateway.example', '/', 200],
    ['10.0.0.1:8080', file, 403],
    ['10.0.0.1:8080', '/healthz', 200],
  ])('%s %s is %i', async (host, path, status) => {
    expect((await at(host, path)).status).toBe(status);
  });

  test('the host of files stays separate, whatever the header of a stranger says', async () => {
    const headers = { host: 'media.gateway.example', 'x-forwarded-host': 'gateway.example' };
    expect((await send(behindTls.origin, '/sign-in', headers)).status).toBe(404);
  });

  test('the console responds only on its own host, which serves nothing else', async () => {
    const own = await startTestGateway({
      ROLE: 'api',
      TRUST_PROXY: '1',
      ...publicAddresses,
      CONSOLE_URL: 'https://console.gateway.example',
    });
    const status = async (host: string, path: string) =>
      (await send(own.origin, path, { host })).status;
    const host = 'console.gateway.example';
    const there = ['/staff/sign-in', '/staff/console.css', '/site/icon.svg', '/healthz'];
    for (const path of there) expect([path, await status(host, path)]).toEqual([path, 200]);
    const samplePaths = ['/', '/sign-in', '/docs', '/v1/models', file];
    for (const path of samplePaths) expect([path, await status(host, path)]).toEqual([path, 404]);
    for (const site of ['gateway.example', 'api.gateway.example', 'media.gateway.example']) {
      expect([site, await status(site, '/staff/sign-in')]).toEqual([site, 404]);
    }
    expect(await status('gateway.example', '/sign-in')).toBe(200);
    const { headers } = await send(own.origin, '/staff', { host });
    expect(headers.location).toBe('/staff/sign-in?next=%2Fstaff');
    await own.stop();
  });

  test('a host named only by the header of a stranger changes nothing at the site', async () => {
    const headers = { host: 'gateway.example', 'x-forwarded-host': 'evil.example' };
    const { status, headers: got } = await send(behindTls.origin, '/settings/public-api', headers);
    expect(status).toBe(303);
    expect(String(got['location'])).not.toContain('evil.example');
  });
});
