import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../../domain/refusal.ts';
import type { HttpContext } from '../../context.ts';
import { readForm, formOf } from './form.ts';
import type { SiteContext } from './siteContext.ts';

const cookieMs = 30 * 24 * 3600 * 1000;

/**
 * Holds forms to this site: a POST must come from a page of our own by what the browser itself says
 * (Sec-Fetch-Site, else Origin), and carry the token of this browser's cookie. The token outlives
 * sessions, so that a second tab still works after a sign-in.
 */
export function guardForms(options: {
  secrets: readonly { secret: string }[];
  accountUrl: string;
}): (ctx: SiteContext, next: () => Promise<unknown>) => Promise<void> {
  const { origin, protocol } = new URL(options.accountUrl);
  const secure = protocol === 'https:';
  const cookie = secure ? '__Host-fg_form' : 'fg_form';
  const tokenOf = (value: string, secret: string) =>
    createHmac('sha256', secret).update(`form ${value}`).digest('base64url');

  return async (ctx, next) => {
    const known = ctx.cookies.get(cookie, { signed: false });
    const value = known !== undefined && known.length >= 32 ? known : newValue(ctx);
    const [first] = options.secrets;
    if (!first) throw new Error('SESSION_KEYS names no secret');
    ctx.state.formToken = tokenOf(value, first.secret);
    ctx.state.form = formOf([]);
    if (ctx.method === 'POST') {
      requireOwnPage(ctx, origin);
      ctx.state.form = await readForm(ctx);
      const token = ctx.state.form.get('form_token');
      const good = options.secrets.some(({ secret }) => isEqual(token, tokenOf(value, secret)));
      if (!good) throw new StaleForm();
    }
    await next();
  };

  function newValue(ctx: SiteContext): string {
    const value = randomBytes(32).toString('base64url');
    const rules = { httpOnly: true, sameSite: 'lax', secure, maxAge: cookieMs } as const;
    ctx.cookies.set(cookie, value, { ...rules, signed: false });
    return value;
  }
}

/** The form is not one that this browser was given, or its cookie is gone. */
export class StaleForm extends Error {}

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

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
