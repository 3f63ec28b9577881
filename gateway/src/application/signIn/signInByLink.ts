import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hashLinkToken, type SignInLink } from '../../domain/signIn/signInLink.ts';
import type { App } from '../app.ts';
import { continueAfterPassword, type PasswordTyped } from './secondFactor.ts';

/** A usable link and the account that it opens. */
export interface OpenLink {
  account: Account;
  returnTo: string | null;
}

/** Finds a link without consuming it; null if it was used, has expired or never existed. */
export async function findLink(deps: App, token: string): Promise<OpenLink | null> {
  return withAccount(deps, await deps.signInLinks.find(hashLinkToken(token)));
}

/**
 * Consumes a link. It replaces the password; a second factor is still required.
 * @returns Null if the link was used, has expired or never existed.
 * @throws Refusal if the account was closed since the link was made.
 */
export async function signInByLink(
  deps: App,
  token: string,
): Promise<{ next: PasswordTyped; returnTo: string | null } | null> {
  const openLink = await withAccount(deps, await deps.signInLinks.take(hashLinkToken(token)));
  if (openLink === null) return null;
  const next = await continueAfterPassword(deps, openLink.account);
  if ('account' in next) deps.recordSignIn('link', 'done');
  return { next, returnTo: openLink.returnTo };
}

/** @throws Refusal */
async function withAccount({ database }: App, link: SignInLink | null): Promise<OpenLink | null> {
  const account = link && (await database.accounts.find(link.accountId));
  if (!account) return null;
  if (account.status !== 'active' || !account.isVerified || account.staffRole !== null) {
    throw new Refusal('sign_in_link_refused');
  }
  return { account, returnTo: link.returnTo };
}
