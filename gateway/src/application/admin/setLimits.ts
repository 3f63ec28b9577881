import { limitsOf } from '../../domain/account.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Database } from '../ports/database.ts';
import { byId, changeAccount } from './changeAccount.ts';

/** Gives an account limits of its own; those not named stay. @returns the limits that hold now. */
export async function setLimits(
  deps: { database: Database; defaultLimits: Limits },
  command: { accountId: string; limits: Partial<Limits> },
): Promise<Limits> {
  const { after } = await changeAccount(
    deps.database,
    byId(deps.database, command.accountId),
    (account) => ({ after: { ...account, limits: { ...account.limits, ...command.limits } } }),
  );
  return limitsOf(after, deps.defaultLimits);
}
