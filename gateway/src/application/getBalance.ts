import type * as wire from '@framegate/contract';
import { availableCredits } from '../domain/credits.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Caller } from './authenticate.ts';
import type { Clock } from './ports/clock.ts';
import type { Database } from './ports/database.ts';

/** The account's credits: what can be spent now, and what unfinished generations were charged. */
export async function getBalance(
  deps: { database: Database; clock: Clock },
  caller: Pick<Caller, 'accountId'>,
): Promise<wire.CreditBalance> {
  const account = await deps.database.accounts.find(caller.accountId);
  if (!account) throw new Refusal('invalid_api_key');
  const now = deps.clock.now();
  return {
    object: 'credit_balance',
    unit: 'credits',
    available: availableCredits(account.lots, now),
    in_flight: account.inFlightCredits,
    as_of: new Date(now).toISOString(),
  };
}
