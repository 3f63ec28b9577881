import { erasureDueAt } from '../../domain/accounts/erasureRequest.ts';
import { inLanguage } from '../../texts/language.ts';
import { text } from '../../texts/text.ts';
import { byId, changeAccount } from '../accounts/accounts.ts';
import { erasurePath } from './erasureRequest.ts';
import { timeInWords } from './writeMail.ts';
import type { AppCore } from '../app.ts';

type ReminderDeps = Pick<AppCore, 'notices' | 'database' | 'sendMail' | 'accountUrl'>;

/** Reminds a person by mail of the erasure that they asked for, a day before. A killed process at worst repeats it. */
export async function remindOfErasure(deps: ReminderDeps, accountId: string): Promise<void> {
  const { database, notices, accountUrl } = deps;
  const account = await database.accounts.find(accountId);
  if (!account || (account.erasureRequest?.remindAt ?? null) === null) return;
  const dueAt = erasureDueAt(account);
  if (dueAt === null) return;
  const { language } = await notices.find(accountId);
  await inLanguage(language ?? 'en', () =>
    deps.sendMail({
      to: account.email,
      link: `${accountUrl}${erasurePath}`,
      subject: text('mails.erasureSoonSubject'),
      parts: [
        text('mails.erasureSoon', { at: timeInWords(dueAt) }),
        { button: text('mails.erasureKeep'), url: `${accountUrl}${erasurePath}` },
      ],
    }),
  );
  await changeAccount(database, byId(database, accountId), (current) => ({
    after: current.erasureRequest
      ? { ...current, erasureRequest: { ...current.erasureRequest, remindAt: null } }
      : current,
  }));
}
