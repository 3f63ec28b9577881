import { afterAll, beforeAll } from '@jest/globals';
import type { App } from '../../gateway/src/application/app.ts';
import type { TestAccount } from '../support/gateway.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { openStaff } from './openStaff.ts';

/** A gateway on a scripted provider, and the console's use cases on it. */
export interface StaffWorld extends ArkGateway {
  staff: App;
}

/** Runs both for the tests of a file. */
export function useStaff(): () => StaffWorld {
  const running = useArkGateway({ provider: { maxConcurrent: 1000 } });
  let opened: Awaited<ReturnType<typeof openStaff>>;
  beforeAll(async () => {
    opened = await openStaff(running().gateway);
  });
  afterAll(() => opened.close());
  return () => ({ ...running(), staff: opened.staff });
}

/** Balance of an account by the API. */
export async function balance(account: TestAccount): Promise<number> {
  return Number((await account.get('/v1/credits/balance')).json['available']);
}
