import type { Router } from '@koa/router';
import { hourMs } from '@framegate/contract';
import { needsNoSlot } from '../../../atWork.ts';
import { pageCookie, redirect, requireOwnPage } from '../../../pages/context.ts';
import { parseForm } from '../../../pages/form.ts';
import type { Site, SiteContext, SiteState } from '../site.ts';

/** Longest prompt of the start page, in UTF-16 units: a cookie holds it until the studio opens. */
export const maxStartCharacters = 600;
/** Room for a prompt in the cookie, in bytes; enough for every prompt of the start page. */
const maxBytes = 2_700;

const cookie = pageCookie('fg_start', { maxAgeMs: hourMs });

/**
 * Carries the prompt of the start page through sign-up or sign-in into the studio. The start page is the same for
 * everyone, so its form has no token; it can only fill in a prompt.
 */
export function addStartedPromptRoute(router: Router<SiteState>, { deps }: Site): void {
  const { origin } = new URL(deps.accountUrl);
  router.post('/start', needsNoSlot, async (ctx: SiteContext) => {
    requireOwnPage(ctx, origin);
    keepPrompt(ctx, (await parseForm(ctx)).get('prompt').trim().slice(0, maxStartCharacters));
    const way = deps.signUp === 'open' ? '/sign-up' : '/sign-in';
    redirect(ctx, ctx.state.account ? '/studio' : way);
  });
}

/** Keeps a prompt, or the start of a long one, until the studio opens. */
export function keepPrompt(ctx: SiteContext, prompt: string): void {
  if (prompt === '') return;
  // A character split at the limit is decoded as a replacement character.
  const beginning = Buffer.from(prompt)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, '');
  cookie.write(ctx, Buffer.from(beginning).toString('base64url'));
}

/** Removes and returns the kept prompt; null if there is none. */
export function takeKeptPrompt(ctx: SiteContext): string | null {
  const value = cookie.read(ctx);
  if (value === undefined) return null;
  cookie.clear(ctx);
  return Buffer.from(value, 'base64url').toString();
}
