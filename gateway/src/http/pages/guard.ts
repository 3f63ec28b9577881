import { createHmac, randomBytes } from 'node:crypto';
import { firstSecret } from '../../domain/apiKey.ts';
import { equalInConstantTime } from '../../domain/signIn.ts';
import { PlainRefusal } from '../../application/plainRefusal.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { HttpContext } from '../context.ts';
import { pageCookie, type Next, type PageContext } from './context.ts';
import { parseForm, type Form } from './form.ts';

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
