import { hourMs } from '@framegate/contract';
import type { App } from '../../application/app.ts';
import type { SignOnRequest } from '../../application/ports/signOn.ts';
import {
  beginSignOn,
  finishSignOn,
  type SignedOn,
} from '../../application/signIn/signOn/exchange.ts';
import { newSessionValue, originOf, type PageContext, pageCookie } from './context.ts';

/** Binds a sign-on to the browser that began it; all its tabs share it. */
const cookie = pageCookie('fg_sign_on', { maxAgeMs: hourMs });

/** The public origin that serves a page of the site or of the console. */
const originFor = ({ accountUrl, consoleUrl }: App, path: string) =>
  path.startsWith('/staff/') ? consoleUrl : accountUrl;

/** Begins a sign-on. @param callback Path of the page to which the provider returns. @returns The URL to go to. */
export function beginFromBrowser(
  ctx: PageContext,
  deps: App,
  callback: string,
  begun: Pick<SignOnRequest, 'purpose' | 'accountId' | 'next'>,
): Promise<string> {
  const value = cookie.read(ctx) ?? '';
  const browser = value.length >= 32 ? value : newSessionValue();
  cookie.write(ctx, browser);
  return beginSignOn(deps, {
    ...begun,
    browser,
    redirectUri: originFor(deps, callback) + callback,
    from: originOf(ctx),
  });
}

/** Completes a sign-on on the page to which the provider returns. @throws Refusal */
export function finishInBrowser(
  ctx: PageContext,
  deps: App,
  callback: string,
  purposes: readonly SignOnRequest['purpose'][],
): Promise<SignedOn> {
  // Uses the public URL: a proxy in front may have changed host and scheme.
  const url = new URL(`${originFor(deps, callback)}${callback}${ctx.search}`);
  return finishSignOn(deps, { url, browser: cookie.read(ctx) ?? '', purposes });
}
