import { afterAll, beforeAll, expect } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { signUpVerified } from './signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from './visitor.ts';

/** A customer in the studio. */
export interface Studio {
  gateway: TestGateway;
  visitor: Visitor;
  accountId: string;
  /** Shows the form with these fields. */
  update: (fields: Record<string, string>) => Promise<Page>;
  /** Shows the form with these fields, and sends it. */
  create: (fields: Record<string, string>) => Promise<Page>;
  /** The page of the generation that the studio shows. */
  pageOf: (made: Page) => Promise<Page>;
}

/** Opens it for the tests of a file, with 600 credits on a gateway that creates nothing. */
export function useStudio(settings: Record<string, string> = {}): () => Studio {
  let gateway: TestGateway;
  let visitor: Visitor;
  let accountId: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '600', ...settings });
    visitor = createVisitor(gateway.origin);
    await signUpVerified(visitor, gateway.dataDir, 'studio@example.com');
    const { database } = gateway;
    accountId = (await database.accounts.findByEmail('studio@example.com'))?.id ?? '';
  });
  afterAll(async () => {
    await gateway.stop();
    expect(gateway.errors).toEqual([]);
  });
  const update = (fields: Record<string, string>) =>
    visitor.post('/studio', { do: 'update', ...fields });
  return () => ({
    gateway,
    visitor,
    accountId,
    update,
    async create(fields) {
      return visitor.post('/studio', { ...sent(await update(fields)), do: 'create', ...fields });
    },
    pageOf: (made) => visitor.get(made.path.replace('/studio?generation=', '/generations/')),
  });
}

/** The price in credits on a page; NaN where there is none. */
export const priceOn = (page: Page): number =>
  Number(/<strong>([\d,]+) credits/.exec(page.text)?.[1] ?? NaN);

/** Hidden fields of a page's form. */
export const sent = (form: Page): Record<string, string> => ({
  form_key: form.field('form_key'),
  shown_credits: form.field('shown_credits'),
});
