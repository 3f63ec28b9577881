import { Refusal } from '../../domain/refusal.ts';
import type { StaffRole } from '../../domain/staff/staffRights.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import { createAccount } from '../accounts/createAccount.ts';
import type { App } from '../app.ts';
import { endSessions } from '../signIn/changePassword.ts';
import { openEnrolment } from './enrolment.ts';

/**
 * Roles that one admin gives and takes in the console. An admin could make the second admin whom large sums and
 * erasures require, and act as both, so admins are made only on the command line or by sign-on.
 */
export const rolesGivenByOneAdmin = ['viewer', 'support'] as const satisfies readonly StaffRole[];

/**
 * Makes an account of staff and the link with which its person chooses a password and enrols a second factor.
 * @returns The account's id, and the link's URL.
 * @throws Refusal `role_invalid`, `email_invalid`, `email_taken`.
 */
export async function inviteStaff(
  deps: App,
  { email, role }: { email: string; role: string },
): Promise<{ accountId: string; url: string }> {
  const staffRole = rolesGivenByOneAdmin.find((each) => each === role);
  if (staffRole === undefined) throw new Refusal('role_invalid');
  const command = { email, password: null, isVerified: true, staffRole };
  const { id: accountId } = await createAccount(deps, command);
  const token = await openEnrolment(deps, { accountId, setsPassword: true });
  return { accountId, url: `${deps.consoleUrl}/staff/enrol#${token}` };
}

/**
 * Takes the role of a viewer or of support; it ends the sessions, and the account stays a customer's.
 * @throws Refusal
 */
export async function endStaffRole(deps: App, accountId: string): Promise<string> {
  const { database } = deps;
  let before: StaffRole | null = null;
  await changeAccountById(database, accountId, (account) => {
    before = account.staffRole;
    if (before === null) throw new Refusal('account_not_staff');
    if (before === 'admin') throw new Refusal('admin_role_protected');
    return { after: { ...account, staffRole: null } };
  });
  await endSessions(deps, accountId, null);
  return `Role ${before} removed.`;
}
