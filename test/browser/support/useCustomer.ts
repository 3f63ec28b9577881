import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { newPerson, openBrowser } from './openBrowser.ts';
import { signUpInBrowser } from './signUpInBrowser.ts';

/** A customer who has signed up as ada@example.com, in a browser at a gateway. */
export interface Customer {
  gateway: TestGateway;
  browser: Browser;
  page: Page;
  /** Failures in the browser so far. */
  trouble: string[];
}

/** Signs a customer up for the tests of a file, in which the gateway may log no error. */
export function useCustomer(settings: Record<string, string>): () => Customer {
  let customer: Customer;
  beforeAll(async () => {
    const [gateway, browser] = await Promise.all([startTestGateway(settings), openBrowser()]);
    customer = { gateway, browser, ...(await newPerson(browser)) };
    await signUpInBrowser(customer.page, gateway, 'ada@example.com');
  });
  afterAll(async () => {
    const { gateway, browser } = customer;
    await browser.close();
    await gateway.stop();
    expect(gateway.errors).toEqual([]);
  });
  return () => customer;
}
