import { eraseWhenDue } from '../../domain/accounts/erasureRequest.ts';
import type { Database } from '../ports/database.ts';
import type { Clock, ReachFaultPoint } from '../ports/system.ts';

/**
 * Erases an account whose person asked for it, once it is due: like an erasure by the operator, in the transaction of
 * the account. Safe to repeat.
 */
export async function eraseDue(
  deps: {
    database: Pick<Database, 'changeAccount'>;
    clock: Pick<Clock, 'now'>;
    reachFaultPoint: ReachFaultPoint;
  },
  accountId: string,
): Promise<void> {
  await deps.reachFaultPoint('erase.beforeTransaction');
  await deps.database.changeAccount(accountId, (account) => {
    const due = eraseWhenDue(account, deps.clock.now());
    if (due === null) return { after: account, result: undefined };
    const { after, person } = due;
    if (person === undefined) return { after, result: undefined };
    return { after, ends: { by: 'erase' }, erases: person, result: undefined };
  });
  await deps.reachFaultPoint('erase.afterTransaction');
}
