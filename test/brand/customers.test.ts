import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addFinished } from '../site/support/addFinished.ts';
import { path as keysPath } from '../site/support/useKeyPages.ts';
import { newCustomer, turnOn, withPassword } from '../site/support/useSecondFactor.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { enrolStaff } from '../staff/browse.ts';
import { openStaff } from '../staff/openStaff.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { projectRoot } from '../support/runNode.ts';
import { crawl, type Seen } from './crawl.ts';
import { leftNames } from './leftNames.ts';

/* Customers of a branded gateway get nothing that contains the built-in name. */

const email = 'ada@example.com';
let gateway: TestGateway;
let visitor: Visitor;
let generationId: string;

beforeAll(async () => {
  gateway = await startTestGateway({
    BRAND_FILE: join(projectRoot, 'docs/examples/brand/brand.json'),
    ROLE: 'api',
  });
  const customer = await newCustomer(gateway, email);
  ({ visitor } = customer);
  generationId = await addFinished(gateway, customer.accountId);
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const leftIn = (all: readonly Seen[]) =>
  all.flatMap(({ path, text }) => leftNames(text).map((passage) => [path, passage]));
const isCustomers = (path: string) => !path.startsWith('/staff');

describe('pages', () => {
  test('show it before the sign-in, with documents, scripts and style sheets', async () => {
    const wrong = [
      '/no-such-page',
      '/shared/no-such-link',
      '/confirm/no-such-question',
      '/staff/sign-in',
    ];
    const stranger = createVisitor(gateway.origin, { accept: 'text/html' });
    const seen = await crawl(stranger, ['/', ...wrong], isCustomers);
    const paths = seen.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/docs',
        '/docs.md',
        '/v1/openapi.json',
        '/sign-up',
        '/site/site.css',
      ]),
    );
    expect(leftIn(seen)).toEqual([]);
    for (const path of ['/', '/docs', '/sign-in', '/no-such-page', '/staff/sign-in']) {
      const page = seen.find((each) => each.path === path)?.text ?? '';
      expect([path, page]).toEqual([path, expect.stringContaining('Aurora Studio')]);
      expect(page).toContain('href="https://aurora.example/imprint"');
      expect(page).toContain('rel="icon" href="/site/logo');
    }
  });

  test('show it after the sign-in, with downloads', async () => {
    const form_key = (await visitor.get(keysPath)).field('form_key');
    const made = await visitor.post(`${keysPath}/keys`, {
      form_key,
      name: 'first',
      models: 'image-b-2',
    });
    await visitor.get(`/generations/${generationId}/share`);
    const shared = await visitor.post(`/generations/${generationId}/share`, { days: '7' });
    const [, link = ''] = /value="[^"]*(\/shared\/[\w-]{43})"/.exec(shared.text) ?? [];
    const stale = await visitor.send('/history/favourites', { method: 'POST' });
    expect([made.status, stale.status, leftNames(made.text + shared.text + stale.text)]).toEqual([
      200,
      403,
      [],
    ]);
    const own = [`/generations/${generationId}`, '/generations/gen_none'];
    const files = ['/credits/ledger.csv', `/history/files.zip?id=${generationId}`];
    const from = ['/', '/studio', link, ...own, ...files];
    const seen = await crawl(visitor, from, isCustomers);
    const paths = seen.map(({ path }) => path.replace(/\?.*$/, ''));
    expect(paths).toEqual(
      expect.arrayContaining([
        '/history',
        '/credits',
        '/settings/account',
        keysPath,
        `/generations/${generationId}/files.zip`,
      ]),
    );
    expect(leftIn(seen)).toEqual([]);
    const names = seen.flatMap(({ text }) => /filename="(.*?)"/.exec(text)?.[1] ?? []);
    expect(names).toEqual([
      'aurora-studio-ledger.csv',
      'aurora-studio.zip',
      `aurora-studio-${generationId}.zip`,
    ]);
    const zip = seen.find(({ path }) => path.endsWith('/files.zip'))?.text ?? '';
    expect(zip).toMatch(/1-[a-z-]+-2\.jpg/);
  });

  test('in German', async () => {
    const german = createVisitor(gateway.origin, { 'accept-language': 'de', accept: 'text/html' });
    const before = await crawl(german, ['/', '/no-such-page'], isCustomers);
    expect(before[0]?.text).toContain('>Impressum</a>');
    for (const [name, value] of visitor.cookies) german.cookies.set(name, value);
    const after = await crawl(german, ['/studio'], isCustomers);
    expect(after[0]?.text).toContain('<html lang="de">');
    expect(after.map(({ path }) => path)).toContain('/settings/account');
    expect(leftIn([...before, ...after])).toEqual([]);
  });

  test('of the console', async () => {
    const { browser } = await enrolStaff(gateway, 'admin');
    const staff = {
      ...createVisitor(gateway.origin),
      get: async (path: string) => {
        const { html: text, ...page } = await browser.get(path);
        return { ...page, path, text, field: () => '' };
      },
    };
    const seen = await crawl(staff, ['/staff'], (path) => /^\/(staff|site)\b/.test(path));
    expect(seen.length).toBeGreaterThan(15);
    // The address of the account that tries the console.
    const left = leftIn(
      seen.map((each) => ({ ...each, text: each.text.replace(/\S+@framegate\.example/g, '') })),
    );
    expect(left).toEqual([]);
    expect(seen[0]?.text).toContain('<title>Overview · Aurora Studio staff</title>');
  });
});

describe('the API', () => {
  test('its document has the name as the title', async () => {
    const response = await fetch(`${gateway.origin}/v1/openapi.json`);
    const { info } = (await response.json()) as { info: { title: string; contact: object } };
    expect(info).toMatchObject({
      title: 'Aurora Studio API',
      contact: { email: 'help@aurora.example' },
    });
    expect(leftNames(await (await fetch(`${gateway.origin}/llms.txt`)).text())).toEqual([]);
  });

  test('its server for agents introduces itself with it', async () => {
    const { apiKey } = await gateway.addAccount();
    const ask = async (method: string, params: object) => {
      const response = await fetch(`${gateway.origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return response.text();
    };
    const client = { name: 'test', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
    const introduction = await ask('initialize', hello);
    expect(introduction).toContain('"name":"aurora-studio"');
    expect(introduction).toContain('"title":"Aurora Studio"');
    expect(leftNames(`${introduction}${await ask('tools/list', {})}`)).toEqual([]);
  });

  test('its files have it in their names', async () => {
    const page = await visitor.get(`/generations/${generationId}`);
    const [, url = ''] = /"(http[^"]+outputs[^"]+)"/.exec(page.text) ?? [];
    const { headers } = await fetch(url.replaceAll('&amp;', '&'));
    expect(headers.get('content-disposition')).toContain(`"aurora-studio-${generationId}-1.jpg"`);
  });
});

test('the logos are pictures and nothing else', async () => {
  for (const name of ['logo-light.svg', 'logo-dark.svg']) {
    const path = name === 'logo-light.svg' ? '/site/logo.svg' : '/site/logo-dark.svg';
    const response = await fetch(`${gateway.origin}${path}`);
    const { headers } = response;
    expect(await response.text()).toBe(
      await readFile(join(projectRoot, 'docs/examples/brand', name), 'utf8'),
    );
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    );
  }
  expect((await fetch(`${gateway.origin}/site/icon.svg`)).status).toBe(404);
});

test('the style sheets have the colours', async () => {
  for (const path of ['/site/site.css', '/docs', '/staff/console.css']) {
    const style = await (await fetch(`${gateway.origin}${path}`)).text();
    expect(style).toContain('--accent: light-dark(#5b2bd9, #b9a5ff);');
    expect(style).toContain('--on-accent: light-dark(#ffffff, #1a0f3d);');
  }
});

test('authenticator apps list it', async () => {
  const opened = await openStaff(gateway);
  const { staff } = opened;
  const address = new URL(staff.totp.setupUrl('JBSWY3DPEHPK3PXP', email));
  expect(decodeURIComponent(address.pathname)).toContain(`Aurora Studio:${email}`);
  expect(address.searchParams.get('issuer')).toBe('Aurora Studio');
  await opened.close();
});

test('every email has it as sender, name and colour', async () => {
  const stranger = createVisitor(gateway.origin);
  const settings = await visitor.get('/settings/account/second-factor');
  expect(leftNames(settings.text)).toEqual([]);
  await turnOn({ visitor });
  const { page } = await withPassword(gateway, email);
  expect(leftNames(page.text)).toEqual([]);
  // A sign-up with an address that has an account, and a forgotten password.
  await stranger.get('/sign-up');
  await stranger.post('/sign-up', { email });
  for (const preferred of ['en', 'de']) {
    const forgetful = createVisitor(gateway.origin, { 'accept-language': preferred });
    await forgetful.get('/forgotten-password');
    await forgetful.post('/forgotten-password', { email });
  }
  const folder = join(gateway.dataDir, 'mails');
  const names = await readdir(folder);
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  expect(mails.length).toBeGreaterThanOrEqual(6);
  for (const mail of mails) {
    const text = mail.replaceAll('=\n', '').replaceAll('=3D', '=');
    expect(text).toMatch(/^From: Aurora Studio <no-reply@aurora\.example>$/m);
    expect(text).toContain('>Aurora Studio</a>');
    expect(text).toContain('color:#5b2bd9');
    expect(text).toContain('help@aurora.example');
    expect(leftNames(text)).toEqual([]);
  }
});
