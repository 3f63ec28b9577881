import { unseal } from '../../../../application/secretBox.ts';
import { text } from '../../../../texts/text.ts';
import { html } from '../../../pages/html.ts';
import type { Site, SiteContext } from '../site.ts';

/**
 * The URL that also signs a browser out of the provider; null if its session did not begin there. Call it before
 * the session ends.
 */
export function endSessionUrlOf({ deps }: Site, ctx: SiteContext): string | null {
  const { session, person } = ctx.state;
  const sealed = session?.data['idToken'];
  if (deps.signOn === null || person === null || typeof sealed !== 'string') return null;
  const idToken = unseal(sealed, person.id, deps.sessionKeys, 'sign-on token');
  return deps.signOn.provider.endSessionUrl(idToken, `${deps.accountUrl}/`);
}

/** Page after a sign-out from a session that began at the provider. */
export function showSignedOut(site: Site, ctx: SiteContext, url: string): void {
  const name = site.deps.signOn?.name ?? '';
  const title = text('signOn.signedOut');
  const content = html`<h1>${title}</h1>
    <p>${text('signOn.stillThere', { name })}</p>
    <p><a class="button" href="${url}">${text('signOn.signOutThere', { name })}</a></p>
    <p><a href="/sign-in">${text('signOn.again')}</a></p>`;
  site.showPage(ctx, { title, content });
}
