import type { Account } from '../../domain/account.ts';
import type { EnrolDeps } from './enrolment.ts';
import type { StaffDeps } from './staffDeps.ts';

/** Wrong codes in a row of which admins are told, and each time as many more. */
const toldAfter = 30;
/** Codes of so long ago are no part of the row, in ms: 30 days. */
const rowMs = 30 * 24 * 3600 * 1000;
const adminsAtMost = 20;

/** The name under which an account's wrong codes in a row are counted. */
export const inARow = ({ id }: Pick<Account, 'id'>) => `staffCodesInARow:${id}`;

/** Counts a wrong code that came with the right password, and tells admins when there are many in a row. */
export async function noteWrongCode(
  { attempts, site, queries }: EnrolDeps & Pick<StaffDeps, 'queries'>,
  account: Pick<Account, 'id' | 'email'>,
): Promise<void> {
  const { count } = await attempts.count(inARow(account), rowMs);
  if (count % toldAfter !== 0) return;
  site.log.warn({ accountId: account.id, count }, 'many wrong codes in a row for the console');
  const link = `${site.accountUrl}/staff/audit`;
  for (const to of await queries.admins(adminsAtMost)) {
    await site.sendMail({
      to,
      link,
      subject: 'Wrong codes at the Framegate console',
      text: `Somebody has the password of ${account.email}, and has typed ${count}
wrong codes in a row at the staff console. No code has let them in.

If it was not ${account.email} themselves: have them choose a new
password, and look at the audit log:

${link}
`,
    });
  }
}
