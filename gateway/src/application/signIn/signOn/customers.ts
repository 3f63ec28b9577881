import type { Account } from '../../../domain/accounts/account.ts';
import { Refusal } from '../../../domain/refusal.ts';
import {
  type Claims,
  customerMeaning,
  type KnownAccounts,
  type SignOnDecision,
} from '../../../domain/signIn/signOn.ts';
import { changeAccountById, targetOf } from '../../accounts/changeAccount.ts';
import { createAccount, isAccountTaken } from '../../accounts/createAccount.ts';
import type { App } from '../../app.ts';
import { changeVerified } from '../../credits/welcomeCredits.ts';
import { DuplicateValueError } from '../../ports/database.ts';
import type { Origin } from '../attempts.ts';
import { recordLanguage } from '../mailedCodes.ts';
import { actionOrigin, continueAfterPassword, type PasswordTyped } from '../secondFactor.ts';

/** Maximum identities per account. */
const maxIdentities = 5;

/** Signs in the customer named by the provider; creates the account of a new one. @throws Refusal */
export async function enterByClaims(deps: App, claims: Claims): Promise<PasswordTyped> {
  const mayMake = deps.signUp === 'open';
  const account = await findAccountOfClaims(deps, claims, {
    meaningOf: (accounts) => customerMeaning(claims, accounts, mayMake),
    staffRole: null,
  });
  const next = await continueAfterPassword(deps, account);
  if ('account' in next) deps.recordSignIn('oidc', 'done');
  return next;
}

/**
 * Finds or creates the account for claims.
 * @param rules.staffRole Role of a newly created account.
 * @throws Refusal
 */
export async function findAccountOfClaims(
  deps: App,
  claims: Claims,
  rules: {
    meaningOf: (accounts: KnownAccounts) => SignOnDecision;
    staffRole: Account['staffRole'];
  },
): Promise<Account> {
  const { accounts } = deps.database;
  // Retried if another browser of the same person was faster.
  for (let isAgain = false; ; isAgain = true) {
    // In this order, an account made between the two reads counts as linked, not as another person's.
    const withEmail = claims.email === null ? null : await accounts.findByEmail(claims.email);
    const linked = await accounts.findByIdentity(claims.issuer, claims.subject);
    const meaning = rules.meaningOf({ linked, withEmail });
    if (meaning.do === 'refuse') throw new Refusal(`sign_on_${meaning.why}`);
    if (meaning.do === 'enter' && linked) {
      return meaning.verifies ? verify(deps, linked) : linked;
    }
    if (meaning.do === 'enter') throw new Error('claims mean an account that was not found');
    try {
      const newAccount = await createAccount(deps, {
        email: meaning.email,
        password: null,
        isVerified: false,
        staffRole: rules.staffRole,
        identities: [identityOf(deps, claims)],
      });
      // Grants a new account's credits, as after a mailed code.
      const verified = await verify(deps, newAccount);
      await recordLanguage(deps, verified.id);
      return verified;
    } catch (error) {
      if (isAgain || !isAccountTaken(error)) throw error;
    }
  }
}

async function verify(deps: App, stored: Account): Promise<Account> {
  const target = { ...targetOf(stored), email: stored.email };
  const { after } = await changeVerified(deps, target, (account) => ({ after: account }));
  return after;
}

const identityOf = ({ clock }: Pick<App, 'clock'>, { issuer, subject }: Claims) => ({
  issuer,
  subject,
  linkedAt: clock.now(),
});

const otherAccountRefusal = () => new Refusal('sign_on_of_another');

/** Links an identity to the signed-in account, and notifies its owner by email. @throws Refusal */
export async function linkIdentity(
  deps: App,
  accountId: string,
  claims: Claims,
  from: Origin,
): Promise<void> {
  const { issuer, subject } = claims;
  const holder = await deps.database.accounts.findByIdentity(issuer, subject);
  if (holder?.id === accountId) return;
  if (holder) throw otherAccountRefusal();
  try {
    const { after } = await changeAccountById(deps.database, accountId, (account) => {
      const others = (account.identities ?? []).filter(
        (each) => each.issuer !== issuer || each.subject !== subject,
      );
      if (others.length >= maxIdentities) {
        throw new Refusal('sign_ons_full', { values: { max: maxIdentities } });
      }
      return { after: { ...account, identities: [...others, identityOf(deps, claims)] } };
    });
    await sendMailToOwner(deps, after, from, 'wayLinked');
  } catch (error) {
    if (error instanceof DuplicateValueError) throw otherAccountRefusal();
    throw error;
  }
}

/**
 * Removes the linked sign-ins of an account with all other sessions, and notifies its owner by email.
 * Call only after `requireProof`, for an account with a password, which is needed to sign in afterwards.
 * @throws Refusal
 */
export async function unlinkIdentities(
  deps: App,
  account: Account,
  form: { keptSessionId: string | undefined; from: Origin },
): Promise<void> {
  if (deps.signInWays === 'oidc' || account.passwordHash === null) {
    throw new Refusal('sign_on_only');
  }
  const { after } = await changeAccountById(deps.database, account.id, (before) => ({
    after: { ...before, identities: [] },
    ends: { by: 'unlink an identity', keptSessionId: form.keptSessionId },
  }));
  await sendMailToOwner(deps, after, form.from, 'wayUnlinked');
}

function sendMailToOwner(
  deps: App,
  { email }: Account,
  from: Origin,
  kind: 'wayLinked' | 'wayUnlinked',
): Promise<void> {
  const values = { ...actionOrigin(deps, from), name: deps.signOn?.name ?? null };
  return deps.sendMail({ to: email, kind, values });
}
