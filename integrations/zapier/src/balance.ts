import { call } from './call.ts';
import type { CreditBalance } from './generated/contract.ts';
import { hasRoom, type Step } from './step.ts';

/** The credits of the account. @throws z.errors.Error when the base URL leads somewhere else. */
export async function readBalance(step: Step): Promise<CreditBalance> {
  const { data } = await call(step, 'balance', { method: 'GET', path: '/credits/balance' });
  if (data?.['object'] !== 'credit_balance' || typeof data['available'] !== 'number') {
    throw new step.z.errors.Error(
      'The Base URL does not lead to the API. Check the Base URL of this connection.',
      'base_url',
      400,
    );
  }
  return data as unknown as CreditBalance;
}

/** The credits that are left after a run; null when they cannot be told now: no run fails for that. */
export async function creditsLeft(step: Step): Promise<number | null> {
  if (!hasRoom(step, 0)) return null;
  try {
    return (await readBalance({ ...step, mayRunAgain: false })).available;
  } catch {
    return null;
  }
}
