import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor } from './support/visitor.ts';

let gateway: TestGateway;
const email = 'language@example.com';

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const languageOf = (page: string) => /<html lang="(\w+)">/.exec(page)?.[1];

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de'],
  ['fr,en;q=0.5', 'en'],
  ['fr', 'en'],
  ['', 'en'],
])('a browser that prefers %p reads pages in %s', async (preferred, language) => {
  for (const path of ['/', '/sign-in']) {
    const response = await fetch(`${gateway.origin}${path}`, {
      headers: { 'accept-language': preferred },
    });
    expect([path, languageOf(await response.text())]).toEqual([path, language]);
  }
});

test('caches keep the start page by language', async () => {
  const { headers } = await fetch(`${gateway.origin}/`);
  expect(headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
});

test('a language chosen on a page applies to the browser and to the emails of its account', async () => {
  const visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, email);
  const { models, collections, database } = gateway;
  const account = await database.accounts.findByEmail(email);
  const kept = () => createNoticeStore(models, collections).find(account?.id ?? '');

  const back = await visitor.post('/language', { language: 'de', path: '/credits?from=x' });
  expect([languageOf(back.text), back.path]).toEqual(['de', '/credits?from=x']);
  expect(languageOf((await visitor.get('/studio')).text)).toBe('de');
  expect((await kept()).language).toBe('de');

  await visitor.post('/language', { language: 'fr', path: '/' });
  expect((await kept()).language).toBe('de');
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', ''])(
  'the form does not lead to %p',
  async (path) => {
    const response = await fetch(`${gateway.origin}/language`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: gateway.origin },
      body: new URLSearchParams({ language: 'de', path }),
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  },
);

test('a page of another site cannot change the language', async () => {
  const response = await fetch(`${gateway.origin}/language`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ language: 'de', path: '/' }),
  });
  expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
});
