import { call } from './call.ts';
import type { CreditBalance } from './generated/contract.ts';
import type { ApiResponse } from './response.ts';
import { hasRoom, type Step } from './step.ts';

/** The credits of the account. */
export async function readBalance(step: Step): Promise<CreditBalance> {
  const request = { method: 'GET', path: '/credits/balance' } as const;
  const { data } = await call(step, 'balance', request, { isSound: isBalance });
  return data as unknown as CreditBalance;
}

function isBalance({ data }: ApiResponse): boolean {
  const { object, available, in_flight, as_of } = data ?? {};
  const isCounted = typeof available === 'number' && typeof in_flight === 'number';
  return object === 'credit_balance' && isCounted && typeof as_of === 'string';
}

/** The credits left after a run; null if unavailable now: that fails no run. */
export async function creditsLeft(step: Step): Promise<number | null> {
  if (!hasRoom(step, 0)) return null;
  try {
    return (await readBalance({ ...step, mayRunAgain: false })).available;
  } catch {
    return null;
  }
}
