import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Account } from '../../../gateway/src/domain/accounts/account.ts';
import type { ApiKey } from '../../../gateway/src/domain/accounts/apiKey.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { signUpVerified } from './signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from './visitor.ts';

/** The page of the API keys. */
export const path = '/settings/public-api';

/** A customer at the page of the API keys. */
export interface KeyPages {
  gateway: TestGateway;
  visitor: Visitor;
  /** Makes a key for two models, unless told otherwise. */
  createKey: (fields: Record<string, string | string[]>) => Promise<Page>;
  /** Replaces a key; the old one keeps working for this many hours. */
  rotate: (id: string, overlap: string) => Promise<Page>;
  account: () => Promise<Account>;
  keyOf: (name: string) => Promise<ApiKey>;
  /** Signs up someone else. */
  signUpThief: (email: string) => Promise<Visitor>;
}

const email = 'keys@example.com';

/** Opens it for the tests of a file, on a gateway that approves hosts below files.example by itself. */
export function useKeyPages(): () => KeyPages {
  let gateway: TestGateway;
  let visitor: Visitor;
  const signUp = async (address: string) => {
    const someone = createVisitor(gateway.origin);
    await signUpVerified(someone, gateway.dataDir, address);
    return someone;
  };
  const account = async () => {
    const found = await gateway.database.accounts.findByEmail(email);
    if (!found) throw new Error('the account is gone');
    return found;
  };
  beforeAll(async () => {
    gateway = await startTestGateway({ ROLE: 'api', AUTO_APPROVED_HOSTS: '*.files.example' });
    visitor = await signUp(email);
  });
  afterAll(async () => {
    await gateway.stop();
    expect(gateway.errors).toEqual([]);
  });
  return () => ({
    gateway,
    visitor,
    account,
    async createKey(fields) {
      const form_key = (await visitor.get(path)).field('form_key');
      const models = ['alpha-2.0-fast', 'image-b-2'];
      return visitor.post(`${path}/keys`, { form_key, models, ...fields });
    },
    async rotate(id, overlap) {
      const form_key = `${(await visitor.get(path)).field('form_key')}-${id}`;
      return visitor.post(`${path}/keys/${id}/rotate`, { form_key, overlap });
    },
    async keyOf(name) {
      const key = (await account()).keys.find((each) => each.name === name);
      if (!key) throw new Error(`there is no key ${name}`);
      return key;
    },
    async signUpThief(address) {
      const thief = await signUp(address);
      await thief.get(path);
      return thief;
    },
  });
}

/** The whole key on a page that shows it, or nothing. */
export const shownKey = (page: Page) =>
  /value="(fg_live_[0-9A-Za-z]{38})"/.exec(page.text)?.[1] ?? '';

/** The row of a key in the table. */
export const rowOf = (page: Page, name: string) =>
  page.text.split('<tr id="').find((each) => each.includes(`<td>${name} `)) ?? '';
