import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { startZapierWorld, type ZapierWorld, type ZapUser } from './zapierWorld.ts';

/** A short video, and its credits. */
export const order = {
  model: 'alpha-2.0-mini',
  mode: 'text-to-video',
  prompt: 'A kite over a harbour',
  duration_seconds: 4,
  resolution: '480p',
};
export const cost = 12;

/** World of a file of tests about money. */
export interface MoneyTests {
  readonly world: ZapierWorld;
  /** Lets the gateway finish its work after this attempt. */
  finishAfter(user: ZapUser, last: number): (attempt: number) => Promise<void>;
  /** Expects these payments, with a key for each generation. */
  expectPaid(user: ZapUser, paid: { generations: number; creditsSpent?: number }): Promise<void>;
}

/** Starts a world around the tests of a file; its ledger is checked. */
export function moneyTests(): MoneyTests {
  let world: ZapierWorld | undefined;
  const started = (): ZapierWorld => {
    if (world === undefined) throw new Error('the world has not started');
    return world;
  };

  beforeAll(async () => {
    world = await startZapierWorld(['alpha-2.0-mini', 'alpha-2.5']);
  });

  afterEach(async () => {
    started().ark.reset();
    await started().stopWorker();
  });

  afterAll(async () => {
    expect(await started().ledgerProblems()).toEqual([]);
    await started().stop();
  });

  return {
    get world() {
      return started();
    },
    finishAfter: (user, last) => async (attempt) => {
      if (attempt === last) await started().finish(user);
    },
    async expectPaid(user, paid) {
      const counted = await user.count();
      const posts = user.posts();
      // A create request without content only asks whether a key is taken.
      const keys = new Set(posts.flatMap(({ key, body }) => (body === '{}' ? [] : [key]))).size;
      const { generations, creditsSpent = generations * cost } = paid;
      expect(counted).toEqual({ generations, charges: generations, creditsSpent });
      expect(keys).toBe(generations);
    },
  };
}
