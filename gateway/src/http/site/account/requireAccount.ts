import type { SiteContext } from './siteContext.ts';
import { showSignIn } from './signInPages.ts';
import type { Site } from './site.ts';

type Next = () => Promise<unknown>;

/**
 * Only for whoever is signed in. Others sign in first and come back; what they had typed into a form
 * comes back with them.
 * @param returnTo The page that a POST of this route belongs to.
 */
export function requireAccount(site: Site, returnTo?: string) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    if (ctx.state.account !== null) {
      await next();
      return;
    }
    if (ctx.method !== 'POST') {
      ctx.redirect(`/sign-in?next=${encodeURIComponent(ctx.path)}`);
      ctx.status = 303;
      return;
    }
    const { form } = ctx.state;
    const typed = form.entries().filter(([name]) => !isSecret(name));
    showSignIn(site, ctx, {
      next: returnTo ?? ctx.path,
      draft: JSON.stringify(typed),
      problem: 'You were signed out in the meantime. Sign in again: what you typed is kept.',
      status: 401,
    });
  };
}

const isSecret = (name: string) => name === 'form_token' || name.includes('password');
