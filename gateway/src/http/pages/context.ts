import { createHmac, randomBytes } from 'node:crypto';
import type Koa from 'koa';
import { dayMs } from '@framegate/contract';
import type { App } from '../../application/app.ts';
import type { Origin } from '../../application/signIn/attempts.ts';
import { equalInConstantTime, firstSecret } from '../../domain/accounts/apiKey.ts';
import type { Brand } from '../../domain/brand/brand.ts';
import { Refusal } from '../../domain/refusal.ts';
import { addDeviceCookie } from '../../domain/signIn/deviceCookies.ts';
import { tokenHash } from '../../domain/signIn/token.ts';
import { callerAddress, type HttpContext, type RequestState } from '../context.ts';
import { type Form, formOf, parseForm } from './form.ts';

/** Request state of all pages. */
export interface PageState extends RequestState {
  brand: Brand;
  /** CSRF token of this browser, for the forms of this response. */
  formToken: string;
  /** Secret of this browser's forms, equal in all responses to it; never shown. */
  formSecret: string;
  /** The scope of forms within the browser: a form of another scope is refused. */
  formScope?: string;
  /** Fields of a POST. */
  form: Form;
}

/** One request of a page and its response. */
export type PageContext = Koa.ParameterizedContext<PageState>;

/** Runs the remaining middleware. */
export type Next = () => Promise<unknown>;

/**
 * Prepares the state and cookies of a request; must run before all other middleware of the pages.
 * @param own Additional initial state.
 */
export function beginPage(
  { accountUrl, brand }: Pick<App, 'accountUrl' | 'brand'>,
  own: object,
): (ctx: PageContext, next: Next) => Promise<unknown> {
  const isHttps = accountUrl.startsWith('https:');
  return (ctx, next) => {
    // From the public URL, because a proxy in front may terminate https.
    ctx.cookies.secure = isHttps;
    Object.assign(ctx.state, { brand, formToken: '', formSecret: '', form: formOf([]), ...own });
    return next();
  };
}

/** Redirects the browser with GET. */
export function redirect(ctx: PageContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** The requested return path if it matches `allowed`, otherwise null. */
export function pathToReturnTo(path: unknown, allowed: RegExp): string | null {
  return typeof path === 'string' && allowed.test(path) ? path : null;
}

/** A cookie of pages: it is read and written on requests. */
export interface PageCookie {
  read(ctx: HttpContext): string | undefined;
  write(ctx: HttpContext, value: string): void;
  clear(ctx: HttpContext): void;
}

/**
 * Defines a cookie that only this server reads: httpOnly and SameSite=Lax; with https also Secure and bound
 * to the host by the `__Host-` prefix.
 * @param options.maxAgeMs Lifetime; without it, the cookie ends with the browser session.
 * @param options.isSigned Whether the cookie is signed with the session keys.
 */
export function pageCookie(
  name: string,
  { maxAgeMs, isSigned = false }: { maxAgeMs?: number; isSigned?: boolean } = {},
): PageCookie {
  const nameFor = ({ cookies }: HttpContext) => (cookies.secure ? `__Host-${name}` : name);
  const set = (ctx: HttpContext, value: string | null) => {
    ctx.cookies.set(nameFor(ctx), value, {
      httpOnly: true,
      sameSite: 'lax',
      secure: ctx.cookies.secure,
      signed: isSigned,
      overwrite: true,
      ...(maxAgeMs !== undefined && { maxAge: maxAgeMs }),
    });
  };
  return {
    read: (ctx) => ctx.cookies.get(nameFor(ctx), { signed: isSigned }),
    write: set,
    clear: (ctx) => set(ctx, null),
  };
}

/** A new session cookie value: 32 random bytes, never stored. */
export function newSessionValue(): string {
  return randomBytes(32).toString('base64url');
}

/** Tells the browser to clear stored pages (ASVS 5.0, 14.3.1). Its cookies stay: they identify the browser. */
export function clearSiteData(ctx: HttpContext): void {
  ctx.set('Clear-Site-Data', '"cache", "storage"');
}

/** Storage id of a session: a hash, so that stored ids cannot be used to sign in. */
export function sessionIdOf(value: string): string {
  return tokenHash(value);
}

/** The device cookies of this browser: see domain/signIn/deviceCookies.ts. */
const deviceCookies = pageCookie('fg_browser', { maxAgeMs: 180 * dayMs });

/** Origin of a request, with the device cookies of earlier sign-ins. */
export function originOf(ctx: HttpContext): Origin {
  return {
    address: callerAddress(ctx),
    requestId: ctx.state.requestId,
    deviceCookies: deviceCookies.read(ctx) ?? '',
  };
}

/** Gives the browser the account's device cookie, which grants no access. */
export function rememberBrowser(
  ctx: HttpContext,
  { random, sessionKeys }: Pick<App, 'random' | 'sessionKeys'>,
  { email }: { email: string },
): void {
  const name = Buffer.from(random.bytes(16)).toString('base64url');
  deviceCookies.write(ctx, addDeviceCookie(originOf(ctx).deviceCookies, email, name, sessionKeys));
}

const formCookie = pageCookie('fg_form', { maxAgeMs: 30 * dayMs });

/**
 * Reads forms and protects them against CSRF: a POST must come from one of our pages (Sec-Fetch-Site, else
 * Origin) and contain the token of the browser's cookie. The token outlives sessions, so that a second tab
 * works after a sign-in. Each response shows it behind a mask of its own, because compressed responses must have no
 * secret in common.
 * @param receiveFiles Reads a form with files. It must call `requireToken` with the preceding fields before
 * it accepts a file. Without it, forms with files are refused.
 * @throws Refusal
 */
export function guardForms<Context extends PageContext>(
  options: Pick<App, 'random' | 'sessionKeys' | 'accountUrl'>,
  receiveFiles?: (ctx: Context, requireToken: (form: Form) => void) => Promise<Form>,
): (ctx: Context, next: Next) => Promise<void> {
  const { origin } = new URL(options.accountUrl);
  const tokenOf = (text: string, secret: string) =>
    createHmac('sha256', secret).update(`form ${text}`).digest();

  return async (ctx, next) => {
    const stored = formCookie.read(ctx);
    const cookie = stored !== undefined && stored.length >= 32 ? stored : issueCookie(ctx);
    const { formScope } = ctx.state;
    const value = formScope === undefined ? cookie : `${cookie} ${formScope}`;
    const own = tokenOf(value, firstSecret(options.sessionKeys).secret);
    ctx.state.formSecret = own.toString('base64url');
    ctx.state.formToken = maskToken(own, options.random.bytes(own.length));
    if (ctx.method === 'POST') {
      requireOwnPage(ctx, origin);
      const requireToken = (form: Form) => {
        const token = unmaskToken(form.get('form_token'));
        const isValid = options.sessionKeys.some(({ secret }) =>
          equalInConstantTime(token, tokenOf(value, secret).toString('base64url')),
        );
        if (!isValid) throw new Refusal('form_refused');
      };
      ctx.state.form =
        receiveFiles && ctx.is('multipart/form-data')
          ? await receiveFiles(ctx, requireToken)
          : await parseForm(ctx);
      requireToken(ctx.state.form);
    }
    await next();
  };
}

const xor = (bytes: Uint8Array, mask: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)));

/** A token behind a mask of the same length: the mask, then the token XOR the mask, in base64url. */
function maskToken(token: Uint8Array, mask: Uint8Array): string {
  return Buffer.concat([mask, xor(token, mask)]).toString('base64url');
}

/** The token behind its mask, in base64url; something else for text that `masked` did not write. */
function unmaskToken(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const half = bytes.length / 2;
  return xor(bytes.subarray(half), bytes.subarray(0, half)).toString('base64url');
}

function issueCookie(ctx: PageContext): string {
  const value = randomBytes(32).toString('base64url');
  formCookie.write(ctx, value);
  return value;
}

/** Refuses requests from pages of other sites. @throws Refusal */
export function requireOwnPage(ctx: HttpContext, accountOrigin: string): void {
  const site = ctx.get('sec-fetch-site');
  const from = ctx.get('origin');
  const isOwn =
    site === ''
      ? from === accountOrigin || from === `${ctx.protocol}://${ctx.host}`
      : site === 'same-origin';
  if (isOwn) return;
  throw new Refusal('form_of_another_site');
}
