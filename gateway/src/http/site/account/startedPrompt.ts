import type { Router } from '@koa/router';
import { parseForm } from '../../pages/form.ts';
import { pageCookie, redirect, requireOwnPage } from '../../pages/context.ts';
import type { Site, SiteContext, SiteState } from './site.ts';

/** Longest prompt of the start page, in UTF-16 units: a cookie holds it until the studio is open. */
export const longestStart = 600;

const cookie = pageCookie('fg_start', { maxAgeMs: 3_600_000 });

/**
 * Takes the prompt of the start page along through sign-up or sign-in into the studio. The start page is the same for
 * everyone, so its form has no token; it can only fill in a prompt.
 */
export function startedPromptRoute(router: Router<SiteState>, { deps }: Site): void {
  const { origin } = new URL(deps.accountUrl);
  router.post('/start', async (ctx: SiteContext) => {
    requireOwnPage(ctx, origin);
    const prompt = (await parseForm(ctx)).get('prompt').trim().slice(0, longestStart);
    if (prompt !== '') cookie.write(ctx, Buffer.from(prompt).toString('base64url'));
    const way = deps.signUp === 'open' ? '/sign-up' : '/sign-in';
    redirect(ctx, ctx.state.account ? '/studio' : way);
  });
}

/** Removes and returns the prompt of the start page; null if there is none. */
export function takeStartedPrompt(ctx: SiteContext): string | null {
  const kept = cookie.read(ctx);
  if (kept === undefined) return null;
  cookie.clear(ctx);
  return Buffer.from(kept, 'base64url').toString().slice(0, longestStart);
}
