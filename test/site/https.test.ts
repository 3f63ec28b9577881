import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { codeFor } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import { createVisitor } from './support/visitor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // Behind a proxy that speaks https; the gateway itself sees plain connections.
  gateway = await startTestGateway({ ROLE: 'api', ACCOUNT_URL: 'https://account.example' });
});
afterAll(() => gateway.stop());

describe('behind https', () => {
  test('cookies are secure and bound to the host, and emails name the public address', async () => {
    const visitor = createVisitor(gateway.origin);
    const form = await visitor.get('/sign-up');
    expect(form.headers.getSetCookie().join()).toMatch(/^__Host-fg_form=.*; secure; httponly/i);
    const email = 'https@example.com';
    const asked = await visitor.post('/sign-up', { email });
    const code = await codeFor(gateway.dataDir, email);
    const body = new URLSearchParams({ form_token: asked.field('form_token'), code, password });
    const response = await fetch(gateway.origin + asked.path, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: {
        origin: 'https://account.example',
        cookie: `__Host-fg_form=${visitor.cookies.get('__Host-fg_form') ?? ''}`,
      },
    });
    expect(response.status).toBe(303);
    const cookies = response.headers.getSetCookie();
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; secure; httponly/i);
    const session = cookies.find((cookie) => cookie.startsWith('__Host-fg_session'));
    expect(session).toMatch(/^__Host-fg_session=[^;]+; path=\/; .*samesite=lax; secure; httponly/i);
    expect(session).not.toMatch(/domain=/i);
  });
});
