import { text } from '../../../texts/text.ts';
import { type Next, redirect } from '../../pages/context.ts';
import { urlOf } from '../../pages/elements.ts';
import { showSignIn } from './signIn/signInForm.ts';
import type { Site, SiteContext } from './site.ts';
import { keepPrompt } from './studio/startedPrompt.ts';

/**
 * Middleware that requires a sign-in. Afterwards the browser returns to the page, with the contents of a
 * submitted form.
 * @param returnTo Page of the form that this route processes, if it is not the route's own.
 */
export function requireSignedIn(
  site: Site,
  returnTo: string | ((ctx: SiteContext) => string) = ({ path }) => path,
) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    if (ctx.state.account !== null) {
      await next();
      return;
    }
    if (ctx.method !== 'POST') {
      redirect(ctx, urlOf('/sign-in', { next: ctx.path }));
      return;
    }
    // A sign-in at the operator's provider returns by GET, without the form.
    if (site.deps.signOn !== null) keepPrompt(ctx, ctx.state.form.get('prompt').trim());
    const typed = ctx.state.form.entries().filter(([name]) => !isSecret(name));
    const message = text('signIn.meanwhile');
    showSignIn(site, ctx, {
      next: typeof returnTo === 'string' ? returnTo : returnTo(ctx),
      draft: JSON.stringify(typed),
      errors: { fields: {}, message, status: 401 },
    });
  };
}

const isSecret = (name: string) => /^(form_token|code|mailed_code)$|password/.test(name);
