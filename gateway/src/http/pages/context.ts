import { createHash, randomBytes } from 'node:crypto';
import type Koa from 'koa';
import type { Origin } from '../../application/site/attempts.ts';
import type { SiteDeps } from '../../application/site/siteDeps.ts';
import { addMark } from '../../domain/signIn.ts';
import { callerAddress, type RequestState, type HttpContext } from '../context.ts';
import { formOf, type Form } from './form.ts';

/** What every page knows of its request. */
export interface PageState extends RequestState {
  /** What every form of this browser carries against forged requests. */
  formToken: string;
  /** The fields of a POST. */
  form: Form;
}

/** One request to a page. */
export type PageContext = Koa.ParameterizedContext<PageState>;

/** The steps of a request that come after this one. */
export type Next = () => Promise<unknown>;

/**
 * Prepares a request's state and cookies; stands before every other step of the pages.
 * @param own What the state of these pages begins with, beside that of all pages.
 */
export function beginPage(
  accountUrl: string,
  own: object,
): (ctx: PageContext, next: Next) => Promise<unknown> {
  const isHttps = accountUrl.startsWith('https:');
  return (ctx, next) => {
    // By our public address: the connection that we see may come from a proxy, which has seen to https.
    ctx.cookies.secure = isHttps;
    Object.assign(ctx.state, { formToken: '', form: formOf([]), ...own });
    return next();
  };
}

/** Sends the browser on by GET. */
export function redirect(ctx: PageContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** A path that a request asks to be sent to, where it is one of those allowed; null otherwise. */
export function pathToReturnTo(asked: unknown, allowed: RegExp): string | null {
  return typeof asked === 'string' && allowed.test(asked) ? asked : null;
}

/** A cookie of our pages. */
export interface PageCookie {
  read(ctx: HttpContext): string | undefined;
  write(ctx: HttpContext, value: string): void;
  clear(ctx: HttpContext): void;
}

/**
 * Describes a cookie that only our server reads: httpOnly, SameSite=Lax, and where the site is behind
 * https Secure and bound to the host by its `__Host-` prefix.
 * @param options.maxAgeMs How long a browser keeps it; until the browser is closed where it is left out.
 * @param options.signed Whether a signature by the session keys goes with it.
 */
export function pageCookie(
  name: string,
  { maxAgeMs, signed = false }: { maxAgeMs?: number; signed?: boolean } = {},
): PageCookie {
  const nameFor = ({ cookies }: HttpContext) => (cookies.secure ? `__Host-${name}` : name);
  const set = (ctx: HttpContext, value: string | null) => {
    ctx.cookies.set(nameFor(ctx), value, {
      httpOnly: true,
      sameSite: 'lax',
      secure: ctx.cookies.secure,
      signed,
      overwrite: true,
      ...(maxAgeMs !== undefined && { maxAge: maxAgeMs }),
    });
  };
  return {
    read: (ctx) => ctx.cookies.get(nameFor(ctx), { signed }),
    write: set,
    clear: (ctx) => set(ctx, null),
  };
}

/** A new value for the cookie of a session: 32 random bytes. It is stored nowhere. */
export function newSessionValue(): string {
  return randomBytes(32).toString('base64url');
}

/** The id under which the session of a cookie is stored: what is stored cannot be used to sign in. */
export function sessionIdOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Which accounts have signed in with this browser: see domain/signIn.ts. */
const browserCookie = pageCookie('fg_browser', { maxAgeMs: 180 * 24 * 3600 * 1000 });

/** Where a request comes from, with what earlier sign-ins left in the browser. */
export function originOf(ctx: HttpContext): Origin {
  return {
    address: callerAddress(ctx),
    requestId: ctx.state.requestId,
    marks: browserCookie.read(ctx) ?? '',
  };
}

/** Notes in the browser that this account has signed in with it; the note alone does not sign in. */
export function rememberBrowser(
  ctx: HttpContext,
  { random, secrets }: Pick<SiteDeps, 'random' | 'secrets'>,
  { email }: { email: string },
): void {
  const name = Buffer.from(random.bytes(16)).toString('base64url');
  browserCookie.write(ctx, addMark(originOf(ctx).marks, email, name, secrets));
}
