import type { Account } from '../../domain/account.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import {
  customerOf,
  type Claims,
  type KnownAccounts,
  type Meaning,
  type NoEntry,
} from '../../domain/signOn.ts';
import { AccountTaken, asFound, byId, changeAccount, createAccount } from '../accounts/accounts.ts';
import { DuplicateValue } from '../ports/database.ts';
import type { Origin } from '../site/attempts.ts';
import { requireCurrentPassword } from '../site/changePassword.ts';
import { withVerified } from '../site/mailbox.ts';
import {
  afterPassword,
  sendFactorNotice,
  whence,
  type PasswordTyped,
} from '../site/secondFactor.ts';
import type { SiteDeps } from '../site/siteDeps.ts';
import { text } from '../../texts/text.ts';

/** Identities of one account at most. */
const maxIdentities = 5;

/** A sign-on that signs nobody in; the page says what to do. */
export class NobodySignedOn extends PlainRefusal {
  readonly why: NoEntry;
  constructor(why: NoEntry) {
    super('Nobody was signed in.', 403);
    this.why = why;
  }
}

/** Signs in the customer whom the provider has named; makes the account of a new one. @throws NobodySignedOn */
export async function enterByClaims(deps: SiteDeps, claims: Claims): Promise<PasswordTyped> {
  const mayMake = deps.signUp === 'open';
  const account = await accountOfClaims(deps, claims, {
    meaningOf: (known) => customerOf(claims, known, mayMake),
    staffRole: null,
  });
  const next = await afterPassword(deps, account);
  if ('account' in next) deps.recordSignIn('oidc', 'done');
  return next;
}

/**
 * Finds or makes the account of claims.
 * @param rules.staffRole Role of an account that is made.
 * @throws NobodySignedOn
 */
export async function accountOfClaims(
  deps: SiteDeps,
  claims: Claims,
  rules: {
    meaningOf: (known: KnownAccounts) => Meaning;
    staffRole: Account['staffRole'];
  },
): Promise<Account> {
  const { accounts } = deps.database;
  // Again where another browser of the same person was faster.
  for (let isAgain = false; ; isAgain = true) {
    // In this order: an account made between the two reads is found as linked, not as another person's.
    const withEmail = claims.email === null ? null : await accounts.findByEmail(claims.email);
    const linked = await accounts.findByIdentity(claims.issuer, claims.subject);
    const meaning = rules.meaningOf({ linked, withEmail });
    if (meaning.do === 'refuse') throw new NobodySignedOn(meaning.why);
    if (meaning.do === 'enter' && linked) {
      return meaning.verifies ? verify(deps, linked) : linked;
    }
    if (meaning.do === 'enter') throw new Error('claims mean an account that was not found');
    try {
      const made = await createAccount(deps, {
        email: meaning.email,
        password: null,
        verified: false,
        staffRole: rules.staffRole,
        identities: [identityOf(deps, claims)],
      });
      // With the credits of a new account, as after a mailed code.
      return await verify(deps, made);
    } catch (error) {
      if (isAgain || !(error instanceof AccountTaken)) throw error;
    }
  }
}

async function verify(deps: SiteDeps, found: Account): Promise<Account> {
  const { after } = await changeAccount(deps.database, asFound(found), (account) =>
    withVerified(deps, account),
  );
  return after;
}

const identityOf = ({ clock }: Pick<SiteDeps, 'clock'>, { issuer, subject }: Claims) => ({
  issuer,
  subject,
  linkedAt: clock.now(),
});

const refusalOfAnother = () => new PlainRefusal(text('signOn.ofAnother'), 403);

/** Links an identity with the account whose owner is signed in, and tells them by mail. @throws PlainRefusal */
export async function linkIdentity(
  deps: SiteDeps,
  accountId: string,
  claims: Claims,
  from: Origin,
): Promise<void> {
  const { issuer, subject } = claims;
  const holder = await deps.database.accounts.findByIdentity(issuer, subject);
  if (holder?.id === accountId) return;
  if (holder) throw refusalOfAnother();
  try {
    const { after } = await changeAccount(
      deps.database,
      byId(deps.database, accountId),
      (account) => {
        const others = (account.identities ?? []).filter(
          (each) => each.issuer !== issuer || each.subject !== subject,
        );
        if (others.length >= maxIdentities) {
          throw new PlainRefusal(text('signOn.tooMany', { most: maxIdentities }));
        }
        return { after: { ...account, identities: [...others, identityOf(deps, claims)] } };
      },
    );
    await tellOwner(deps, after, from, 'can be used to sign in to');
  } catch (error) {
    if (error instanceof DuplicateValue) throw refusalOfAnother();
    throw error;
  }
}

/**
 * Removes the linked sign-ins of an account, and tells its owner by mail.
 * @param form.current The password, which is needed to sign in afterwards.
 * @throws PlainRefusal
 */
export async function unlinkIdentities(
  deps: SiteDeps,
  account: Account,
  form: { current: string; from: Origin },
): Promise<void> {
  if (deps.ways === 'oidc') throw new PlainRefusal(text('signOn.onlyWay'), 403);
  await requireCurrentPassword(deps, account, form.current, form.from);
  const { after } = await changeAccount(
    deps.database,
    byId(deps.database, account.id),
    (before) => ({
      after: { ...before, identities: [] },
    }),
  );
  await tellOwner(deps, after, form.from, 'can no longer be used to sign in to');
}

const tellOwner = (deps: SiteDeps, account: Account, from: Origin, what: string) =>
  sendFactorNotice(deps, account, {
    subject: 'Your ways to sign in have changed',
    what: `An account at ${deps.signOn?.name ?? 'another site'} ${what} your ${deps.brand.name} account. This was changed ${whence(deps, from)}.`,
  });
