import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/* The ways for a customer without credits, as the operator has set them. */

const credits = 'https://shop.example/credits?a=1&b=2';
const support = 'mailto:help@example.com';
const gateways: TestGateway[] = [];
let linked: Visitor;
let supported: Visitor;
let bare: Visitor;

beforeAll(async () => {
  const open = async (env: Record<string, string>) => {
    const gateway = await startTestGateway({ ROLE: 'api', ...env });
    gateways.push(gateway);
    const visitor = createVisitor(gateway.origin);
    await signUpVerified(visitor, gateway.dataDir, 'poor@example.com');
    return visitor;
  };
  linked = await open({ CREDITS_URL: credits, SUPPORT_URL: support });
  supported = await open({ SUPPORT_URL: support });
  bare = await open({});
});
afterAll(async () => {
  for (const gateway of gateways) {
    await gateway.stop();
    expect(gateway.errors).toEqual([]);
  }
});

/** The buttons of a page that lead out of the site. */
const waysOn = (text: string) =>
  [...text.matchAll(/<a class="button" href="((?:https?|mailto):[^"]+)">([^<]+)</g)].map(
    ([, href = '', label]) => [href.replaceAll('&amp;', '&'), label],
  );

test.each(['/studio', '/credits'])(
  '%s of an account without credits has one next step',
  async (path) => {
    expect(waysOn((await linked.get(path)).text)).toEqual([[credits, 'Get credits']]);
    for (const { text } of [await supported.get(path), await bare.get(path)]) {
      expect(waysOn(text)).toEqual([]);
      expect(text).toMatch(/<button[^>]*>\s*Ask for credits\s*</);
    }
  },
);

test('an error and a suspended account link to support', async () => {
  const link = `<a href="${support}">`;
  expect((await linked.get('/generations/gen_nothing')).text).toContain(`${link}support</a>`);
  const accounts = gateways[0]?.collections.accounts;
  // As after a new sign-in: a suspension ends the session.
  await accounts?.updateOne({ email: 'poor@example.com' }, { $set: { status: 'suspended' } });
  expect((await linked.get('/history')).text).toContain(`${link}Support</a>`);
});
