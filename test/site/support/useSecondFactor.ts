import { expect } from '@jest/globals';
import { codeOf } from '../../staff/browse.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { password, signUpVerified } from './signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from './visitor.ts';

export const factorPath = '/settings/account/second-factor';

/** A customer, with the browser in which they signed up. */
export interface Customer {
  email: string;
  accountId: string;
  visitor: Visitor;
}

/** A second factor that is on. */
export interface Factor {
  secret: string;
  recoveryCodes: string[];
  /** The code with which it was turned on. */
  usedCode: string;
}

/** Signs a customer up. */
export async function newCustomer(gateway: TestGateway, email: string): Promise<Customer> {
  const visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, email);
  const { accounts } = gateway.database;
  return { email, visitor, accountId: (await accounts.findIdByEmail(email)) ?? '' };
}

/** The secret that a page shows for an app. */
export const secretOn = (page: Page) =>
  (/id="secret">([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '');

/** The recovery codes that a page shows. */
export const recoveryCodesOn = (page: Page) =>
  /id="recovery-codes">([^<]+)</.exec(page.text)?.[1]?.trim().split('\n') ?? [];

/** Turns the second factor on. */
export async function turnOn({ visitor }: Pick<Customer, 'visitor'>): Promise<Factor> {
  const page = await visitor.get(factorPath);
  const secret = secretOn(page);
  const usedCode = codeOf(secret);
  const fields = { setup: page.field('setup'), current_password: password, code: usedCode };
  const done = await visitor.post(`${factorPath}/on`, fields);
  expect(done.status).toBe(200);
  return { secret, usedCode, recoveryCodes: recoveryCodesOn(done) };
}

/** A browser in which a customer has typed the password, and the resulting page. */
export async function withPassword(
  gateway: Pick<TestGateway, 'origin'>,
  email: string,
  more: Record<string, string> = {},
  visitor = createVisitor(gateway.origin),
): Promise<{ visitor: Visitor; page: Page }> {
  await visitor.get('/sign-in');
  return { visitor, page: await visitor.post('/sign-in', { email, password, ...more }) };
}

/** Sends a code with the hidden fields of its page. */
export function sendCode(visitor: Visitor, page: Page, code: string): Promise<Page> {
  const carried = ['proof', 'next', 'draft'].map((name) => [name, page.field(name)] as const);
  return visitor.post('/sign-in/code', { ...Object.fromEntries(carried), code });
}
