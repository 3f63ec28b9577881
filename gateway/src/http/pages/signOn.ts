import { beginSignOn, finishSignOn, type SignedOn } from '../../application/signOn/exchange.ts';
import type { SignOnRequest } from '../../application/ports/signOn.ts';
import type { SiteDeps } from '../../application/site/siteDeps.ts';
import { newSessionValue, originOf, pageCookie, type PageContext } from './context.ts';

/** Binds a sign-on to the browser that began it; all of its tabs share it. */
const cookie = pageCookie('fg_sign_on', { maxAgeMs: 3_600_000 });

/** Begins a sign-on. @param callback Path of the page to which the provider returns. @returns Where to go. */
export function beginFromBrowser(
  ctx: PageContext,
  deps: SiteDeps,
  callback: string,
  begun: Pick<SignOnRequest, 'purpose' | 'accountId' | 'next'>,
): Promise<string> {
  const known = cookie.read(ctx) ?? '';
  const browser = known.length >= 32 ? known : newSessionValue();
  cookie.write(ctx, browser);
  return beginSignOn(deps, {
    ...begun,
    browser,
    redirectUri: deps.accountUrl + callback,
    from: originOf(ctx),
  });
}

/** Ends a sign-on on the page to which the provider returns. @throws PlainRefusal */
export function finishInBrowser(
  ctx: PageContext,
  deps: SiteDeps,
  callback: string,
  purposes: readonly SignOnRequest['purpose'][],
): Promise<SignedOn> {
  // From the public address: a proxy in front may have changed host and scheme.
  const url = new URL(`${deps.accountUrl}${callback}${ctx.search}`);
  return finishSignOn(deps, { url, browser: cookie.read(ctx) ?? '', purposes });
}

/** Words for a person whom the provider has named and who is not signed in. */
export const noEntryWords = {
  email_taken:
    'There is an account with your e-mail address already, and it is not linked with this sign-in. Sign in the way you did before, and link it on the page Account. It is not linked by itself, because an address can pass to somebody else.',
  email_missing: 'The provider did not tell an e-mail address, without which no account is made.',
  email_unverified:
    'The provider has not verified your e-mail address. Verify it there, then sign in again.',
  no_sign_up: 'You have no account here, and accounts are not made by signing in.',
  account_unverified: 'The e-mail address of this account has not been verified.',
  no_role: 'None of your groups may use the console.',
  suspended: 'This account may not use the console at present.',
} as const;
