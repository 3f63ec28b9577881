import type { Router } from '@koa/router';
import { isLanguage } from '../../../../domain/text/language.ts';
import { needsNoSlot } from '../../../atWork.ts';
import { pathToReturnTo, redirect, requireOwnPage } from '../../../pages/context.ts';
import { parseForm } from '../../../pages/form.ts';
import { languagePath, rememberLanguage } from '../../../pages/languageChoice.ts';
import type { Site, SiteContext, SiteState } from '../site.ts';

/** A path of this site; two slashes would lead to another site. */
const ownPath = /^\/(?![/\\])/;

/**
 * Changes the language of the browser's pages, and of emails to its account. The form is on pages that are the same for
 * everyone, so it has no token and can change nothing else.
 */
export function addLanguagePage(router: Router<SiteState>, { deps }: Site): void {
  const { origin } = new URL(deps.accountUrl);
  router.post(languagePath, needsNoSlot, async (ctx: SiteContext) => {
    requireOwnPage(ctx, origin);
    const form = await parseForm(ctx);
    const chosen = form.get('language');
    if (isLanguage(chosen) && deps.brand.languages.includes(chosen)) {
      rememberLanguage(ctx, chosen);
      if (ctx.state.person) await deps.notices.setLanguage(ctx.state.person.id, chosen);
    }
    redirect(ctx, pathToReturnTo(form.get('path'), ownPath) ?? '/');
  });
}
