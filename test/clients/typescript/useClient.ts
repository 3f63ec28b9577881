import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  Framegate,
  FramegateError,
  type FramegateOptions,
} from '../../../integrations/typescript/src/node/index.ts';
import type { TestAccount } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';

/** A gateway behind a proxy, and its clients. */
export interface ClientTests {
  world: ClientWorld;
  /** An account with plenty of credits. */
  account: TestAccount;
  /** A client on an accelerated clock, and its requested waits. */
  connect: (options?: FramegateOptions) => { framegate: Framegate; waits: number[] };
  creates: ClientWorld['creates'];
  keysSent: () => Set<unknown>;
  /** Credits that some calls spent. */
  spentBy: (calls: () => Promise<unknown>) => Promise<number>;
}

/** Sets them up for the tests of a file; the proxy is undisturbed again after each. */
export function useClient(): () => ClientTests {
  let world: ClientWorld;
  let account: TestAccount;
  beforeAll(async () => {
    world = await startClientWorld();
    account = await world.addAccount({ credits: 100_000 });
  });
  afterEach(() => {
    world.line.reset();
  });
  afterAll(() => world.stop());
  return () => ({
    world,
    account,
    creates: () => world.creates(),
    connect(options = {}) {
      const platform = hurriedPlatform();
      const { baseUrl } = world;
      const framegate = new Framegate({ baseUrl, apiKey: account.apiKey, ...options, platform });
      return { framegate, waits: platform.waits };
    },
    keysSent: () => new Set(world.creates().map(({ headers }) => headers['idempotency-key'])),
    spentBy: (calls) => world.spentBy(account, calls),
  });
}

/** An order of a video, and its price. */
export const video = {
  model: 'alpha-2.0-fast',
  mode: 'text-to-video' as const,
  prompt: 'A paper boat at sunrise',
};
export const videoCredits = 50;

/** Error of a call. */
export async function failureOf<E extends FramegateError>(
  call: Promise<unknown>,
  Class: new (...given: never[]) => E,
): Promise<E> {
  const error: unknown = await call.then(
    () => new Error('the call has not failed'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Class)) throw error;
  expect(error).toBeInstanceOf(FramegateError);
  expect(error.name).toBe(Class.name);
  return error;
}
