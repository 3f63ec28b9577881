import { erasureDueAt } from '../../domain/accounts/erasureRequest.ts';
import { byId, changeAccount } from './accounts.ts';
import type { AppCore } from '../app.ts';

type ReminderDeps = Pick<AppCore, 'notices' | 'database' | 'sendMail'>;

/** Reminds a person by mail of the erasure that they asked for, a day before. A killed process at worst repeats it. */
export async function remindOfErasure(deps: ReminderDeps, accountId: string): Promise<void> {
  const { database, notices } = deps;
  const account = await database.accounts.find(accountId);
  if (!account || (account.erasureRequest?.remindAt ?? null) === null) return;
  const dueAt = erasureDueAt(account);
  if (dueAt === null) return;
  const { language = 'en' } = await notices.find(accountId);
  const values = { at: dueAt };
  await deps.sendMail({ to: account.email, language, kind: 'erasureSoon', values });
  await changeAccount(database, byId(database, accountId), (current) => ({
    after: current.erasureRequest
      ? { ...current, erasureRequest: { ...current.erasureRequest, remindAt: null } }
      : current,
  }));
}
