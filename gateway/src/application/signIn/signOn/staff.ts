import { firstSecret } from '../../../domain/accounts/apiKey.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { accountIdOf, isProof, makeProof, proofMs } from '../../../domain/signIn/secondFactor.ts';
import {
  type Claims,
  hasSecondFactor,
  roleOf,
  staffMeaning,
} from '../../../domain/signIn/signOn.ts';
import type { StaffRole } from '../../../domain/staff/staffRights.ts';
import { changeAccountById } from '../../accounts/changeAccount.ts';
import type { App } from '../../app.ts';
import { auditEntry } from '../../staff/auditEntry.ts';
import {
  type FactorForm,
  isStaff,
  requireStaffFactor,
  type StaffAccount,
} from '../../staff/signInStaff.ts';
import type { Origin } from '../attempts.ts';
import { endSessions } from '../changePassword.ts';
import { findAccountOfClaims } from './customers.ts';
import { requireSignOn } from './exchange.ts';

/** A staff member who may enter, or a proof for the page that asks for the console's factor. */
export type StaffEntry = { account: StaffAccount } | { proof: string };

/**
 * Signs in the staff member named by the provider. The current groups determine the role, which is granted, changed
 * and removed here, with an entry in the audit log.
 * @throws Refusal
 */
export async function enterStaffByClaims(
  deps: App,
  claims: Claims,
  from: Origin,
): Promise<StaffEntry> {
  const { staff } = requireSignOn(deps);
  if (staff === null) throw new Refusal('sign_on_off_for_staff');
  const role = roleOf(claims.groups, staff.groups);
  try {
    const foundAccount = await findAccountOfClaims(deps, claims, {
      meaningOf: (accounts) => staffMeaning(claims, accounts, role),
      staffRole: role,
    });
    const account = await giveRole(deps, foundAccount, role, from);
    if (!isStaff(account)) throw new Refusal('sign_on_suspended');
    if (hasSecondFactor(claims, staff.trustedMethods)) {
      deps.recordSignIn('oidc', 'done');
      return { account };
    }
    return {
      proof: makeProof(
        account,
        'console',
        deps.clock.now() + proofMs,
        firstSecret(deps.sessionKeys),
      ),
    };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'sign_on_no_role') {
      await takeRole(deps, claims, from);
    }
    throw error;
  }
}

/** Completes the provider's sign-in with a factor of the console's own. @throws Refusal */
export async function enterStaffWithFactor(
  deps: App,
  form: FactorForm & { proof: string },
): Promise<StaffAccount> {
  const accountId = accountIdOf(form.proof);
  const account = accountId === null ? null : await deps.database.accounts.find(accountId);
  const nowMs = deps.clock.now();
  if (
    !account ||
    !isStaff(account) ||
    !isProof(form.proof, account, 'console', nowMs, deps.sessionKeys)
  ) {
    throw new Refusal('sign_in_expired');
  }
  await requireStaffFactor(deps, account, form);
  deps.recordSignIn('oidc', 'done');
  return account;
}

/** Those who have left the groups lose the role and the sessions that began with it. */
async function takeRole(deps: App, { issuer, subject }: Claims, from: Origin): Promise<void> {
  const linked = await deps.database.accounts.findByIdentity(issuer, subject);
  if (!linked || linked.staffRole === null) return;
  await giveRole(deps, linked, null, from);
  await endSessions(deps, linked.id, null);
}

async function giveRole(
  deps: App,
  account: StaffAccount | Parameters<typeof isStaff>[0],
  role: StaffRole | null,
  { address, requestId }: Origin,
) {
  if (account.staffRole === role) return account;
  const entry = auditEntry(deps, {
    accountId: account.id,
    email: account.email,
    role: 'operator',
    action: 'change staff role',
    targets: [account.id],
    result: `The groups at the sign-in provider give the role ${role ?? 'of none'}; it was ${account.staffRole ?? 'none'}.`,
    requestId,
    address,
  });
  await deps.audit.begin(entry);
  const { after } = await changeAccountById(deps.database, account.id, (before) => ({
    after: { ...before, staffRole: role },
  }));
  return after;
}
