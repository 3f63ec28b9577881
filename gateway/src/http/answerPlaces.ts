import type { ServerResponse } from 'node:http';
import { createKeyedLimiter, NoFreePlace, runInTime } from '@framegate/limits';
import { ClientGone } from './body.ts';
import { disconnectedOf } from './context.ts';

/**
 * Waits for a place among the answers of one kind, and keeps it until the answer is closed: by its end, by the client,
 * or by the server because the client reads too slowly. Accounts take turns, and a further answer of an account waits
 * for its own.
 * @throws The error of `refuse` if no place is free in time; ClientGone.
 */
export type EnterAnswer = (res: ServerResponse, accountId: string) => Promise<void>;

/**
 * Creates the places of one process.
 * @param limits.maxWaitMs Longer than a slow reader keeps its place (`usualPace`), so that those never keep others out.
 * @param limits.mayWait Waiting answers of one account.
 */
export function createAnswerPlaces(limits: {
  places: number;
  perAccount: number;
  mayWait: number;
  maxWaitMs: number;
  refuse: () => Error;
}): EnterAnswer {
  const { places, perAccount, mayWait, maxWaitMs, refuse } = limits;
  const limiter = createKeyedLimiter({
    places,
    perKey: perAccount,
    queue: { max: mayWait, refuse },
  });
  return async (res, accountId) => {
    const gone = disconnectedOf(res);
    const entered = Promise.withResolvers<undefined>();
    const closed = new Promise<void>((resolve) => {
      gone.addEventListener('abort', () => resolve());
    });
    const work = () => {
      entered.resolve(undefined);
      return closed;
    };
    runInTime(limiter, accountId, maxWaitMs, work, gone).catch((error: unknown) => {
      if (gone.aborted) entered.reject(new ClientGone('the client left while it waited'));
      else entered.reject(error instanceof NoFreePlace ? refuse() : error);
    });
    await entered.promise;
  };
}
