import { afterAll, beforeAll } from '@jest/globals';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { AccountOptions, TestAccount, TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';

/** A fake ModelArk, a gateway with a routes file about it, and a customer. */
export interface RoutedArk {
  ark: FakeArk;
  gateway: TestGateway;
  account: TestAccount;
}

/**
 * Runs them for the tests of a file.
 * @param routesTo The contents of the routes file.
 */
export function useRoutedArk(
  routesTo: (ark: FakeArk) => object | Promise<object>,
  options: AccountOptions = {},
): () => RoutedArk {
  let running: RoutedArk;
  beforeAll(async () => {
    const ark = await startFakeArk();
    const gateway = await startRoutedGateway(await routesTo(ark), { ARK_API_KEY: ark.apiKey });
    running = { ark, gateway, account: await gateway.addAccount(options) };
  });
  afterAll(async () => {
    await running.gateway.stop();
    await running.ark.close();
  });
  return () => running;
}
