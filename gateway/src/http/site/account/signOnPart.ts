import type { Account } from '../../../domain/account.ts';
import { html, date, richText, type Html } from '../../pages/html.ts';
import { text } from '../../../texts/text.ts';
import { tokenField } from '../../pages/layout.ts';
import { formFields, type FormErrors } from './fields.ts';
import { isFresh, type Site, type SiteContext } from './site.ts';

/** Part of the page Account about linked sign-ins. */
export function signOnPart(
  { deps }: Site,
  ctx: SiteContext,
  { name, account, errors }: { name: string; account: Account; errors: FormErrors | undefined },
): Html {
  const identities = account.identities ?? [];
  const fields = formFields(ctx.state.form, errors);
  const password = fields.input('current_password', text('settings.yourPassword'), {
    type: 'password',
    autocomplete: 'current-password',
    errorName: 'sign_on_current',
    required: true,
  });
  // The part about the password has its own summary.
  const isAlone = deps.ways === 'oidc' || account.passwordHash === null;
  const problems = isAlone && fields.errorSummary();
  if (identities.length === 0) {
    const isAsked = account.passwordHash !== null && !isFresh(ctx, deps.clock.now());
    return html`<h2>${name}</h2>
      ${problems}
      <p>${text('signOn.notLinked')}</p>
      <form action="/settings/account/link" method="post" class="card">
        ${tokenField(ctx)} ${isAsked && password}
        <button class="button second">${text('signOn.linkNow', { name })}</button>
      </form>`;
  }
  const since = identities.map(({ linkedAt }) => date(linkedAt));
  return html`<h2>${name}</h2>
    <p>${richText('signOn.linkedSince', { date: since[0] ?? '' })}</p>
    ${
      deps.ways === 'both' &&
      account.passwordHash !== null &&
      html`<form action="/settings/account/unlink" method="post" class="card">
        ${tokenField(ctx)} ${password}
        <button class="button second">${text('signOn.unlink', { name })}</button>
      </form>`
    }`;
}
