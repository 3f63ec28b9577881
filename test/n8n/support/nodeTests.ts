import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Item, NodeError } from '../../../integrations/n8n/test/support/builtNode.mts';
import { runNode, type RunOptions } from '../../../integrations/n8n/test/support/runNode.mts';
import type { TestAccount } from '../../support/gateway.ts';
import { type Framegate, startFramegate } from './startFramegate.ts';

export { generation, model, video, videoCredits } from './parameters.ts';

/** The node outside n8n, against a gateway whose line can be disturbed. */
export interface NodeTests {
  framegate: Framegate;
  /** A new one for each test. */
  account: TestAccount;
  /** Runs the node, with the account's key unless told otherwise. */
  run: (params: RunOptions['params'], more?: Partial<RunOptions>) => Promise<Item[]>;
}

/** Runs the gateway for the tests of a file; line and provider are undisturbed again after each. */
export function useNode(): () => NodeTests {
  let framegate: Framegate;
  let account: TestAccount;
  beforeAll(async () => {
    framegate = await startFramegate();
  }, 240_000);
  beforeEach(async () => {
    account = await framegate.addAccount();
  });
  afterEach(() => {
    framegate.line.reset();
    framegate.ark.reset();
  });
  afterAll(() => framegate.stop());
  return () => ({
    framegate,
    account,
    run: (params, more = {}) =>
      runNode({ baseUrl: framegate.baseUrl, apiKey: account.apiKey, params, ...more }),
  });
}

/** The error of a failing run. @throws Error if it succeeds. */
export async function failureOf(work: Promise<unknown>): Promise<NodeError> {
  try {
    await work;
  } catch (error) {
    return error as NodeError;
  }
  throw new Error('the node did not fail');
}
