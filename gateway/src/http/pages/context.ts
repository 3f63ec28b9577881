import { createHash, randomBytes, createHmac } from 'node:crypto';
import type Koa from 'koa';
import type { Origin } from '../../application/site/attempts.ts';
import type { SiteDeps } from '../../application/site/siteDeps.ts';
import { firstSecret } from '../../domain/apiKey.ts';
import { PlainRefusal, Refusal } from '../../domain/refusal.ts';
import { addMark, equalInConstantTime } from '../../domain/signIn.ts';
import { callerAddress, type RequestState, type HttpContext } from '../context.ts';
import { formOf, parseForm, type Form } from './form.ts';

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

const formCookie = pageCookie('fg_form', { maxAgeMs: 30 * 24 * 3600 * 1000 });

/**
 * Reads forms, and protects them from forged requests: a POST must come from a page of our own by what
 * the browser itself says (Sec-Fetch-Site, else Origin), and carry the token of this browser's cookie.
 * The token outlives sessions, so that a second tab still works after a sign-in.
 * @param receiveFiles Reads a form with files; it has to call `requireToken` with the fields that stood
 * before a file before it takes that. Without it such a form is refused.
 * @throws PlainRefusal, Refusal
 */
export function guardForms<Context extends PageContext>(
  options: { secrets: readonly { secret: string }[]; accountUrl: string },
  receiveFiles?: (ctx: Context, requireToken: (form: Form) => void) => Promise<Form>,
): (ctx: Context, next: Next) => Promise<void> {
  const { origin } = new URL(options.accountUrl);
  const tokenOf = (value: string, secret: string) =>
    createHmac('sha256', secret).update(`form ${value}`).digest('base64url');

  return async (ctx, next) => {
    const known = formCookie.read(ctx);
    const value = known !== undefined && known.length >= 32 ? known : issueCookie(ctx);
    ctx.state.formToken = tokenOf(value, firstSecret(options.secrets).secret);
    if (ctx.method === 'POST') {
      requireOwnPage(ctx, origin);
      const requireToken = (form: Form) => {
        const token = form.get('form_token');
        const isValid = options.secrets.some(({ secret }) =>
          equalInConstantTime(token, tokenOf(value, secret)),
        );
        if (!isValid) throw new PlainRefusal(staleForm, 403);
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

function issueCookie(ctx: PageContext): string {
  const value = randomBytes(32).toString('base64url');
  formCookie.write(ctx, value);
  return value;
}

/** Says that the form is not one that this browser was given, or that its cookie is gone. */
const staleForm =
  'This form is too old, or cookies are switched off. Go back, load the page again and send it once more: nothing has been done.';

/** Refuses what another site sends, by what the browser says. @throws Refusal */
export function requireOwnPage(ctx: HttpContext, accountOrigin: string): void {
  const site = ctx.get('sec-fetch-site');
  const from = ctx.get('origin');
  const own =
    site === ''
      ? from === accountOrigin || from === `${ctx.protocol}://${ctx.host}`
      : site === 'same-origin';
  if (own) return;
  throw new Refusal('invalid_request', {
    message: 'This request did not come from a page of this site.',
  });
}
