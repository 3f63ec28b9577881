import { eraseWhenDue, erasureDueAt } from '../../domain/accounts/erasureRequest.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { AppCore } from '../app.ts';
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
    const erasure = eraseWhenDue(account, deps.clock.now());
    if (erasure === null) return { after: account, result: undefined };
    const { after, person } = erasure;
    if (person === undefined) return { after, result: undefined };
    return { after, ends: { by: 'erase' }, erases: person, result: undefined };
  });
  await deps.reachFaultPoint('erase.afterTransaction');
}

type ReminderDeps = Pick<AppCore, 'notices' | 'database' | 'sendMail'>;

/** Reminds a person by email of the erasure that they asked for, a day before. A killed process at worst repeats it. */
export async function remindOfErasure(deps: ReminderDeps, accountId: string): Promise<void> {
  const { database, notices } = deps;
  const account = await database.accounts.find(accountId);
  if (!account || (account.erasureRequest?.remindAt ?? null) === null) return;
  const dueAt = erasureDueAt(account);
  if (dueAt === null) return;
  const { language = 'en' } = await notices.find(accountId);
  const values = { at: dueAt };
  await deps.sendMail({ to: account.email, language, kind: 'erasureSoon', values });
  await changeAccountById(database, accountId, (current) => ({
    after: current.erasureRequest
      ? { ...current, erasureRequest: { ...current.erasureRequest, remindAt: null } }
      : current,
  }));
}
