import { text } from '../../../../texts/text.ts';
import { tokenField, urlOf } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Html, html, richText } from '../../../pages/html.ts';
import { formFields } from '../fields.ts';
import type { Site, SiteContext } from '../site.ts';

const noAccountYet = {
  open: () => {
    const link = (inner: Html) => html`<a href="/sign-up">${inner}</a>`;
    return html`<p>${richText('signIn.noAccount', { link })}</p>`;
  },
  invite: () => html`<p>${text('signIn.noAccountInvited')}</p>`,
  closed: () => null,
};

/**
 * Shows the sign-in form.
 * @param page.next Path after the sign-in.
 * @param page.draft Interrupted form, as JSON.
 */
export function showSignIn(
  site: Site,
  ctx: SiteContext,
  page: { next: string; draft?: string; errors?: FormErrors },
): void {
  const { next, draft = '', errors } = page;
  const fields = formFields(ctx.state.form, errors);
  const emailField = fields.input('email', text('signIn.email'), {
    type: 'email',
    autocomplete: 'username',
    required: true,
  });
  const passwordField = fields.input('password', text('signIn.password'), {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const { signOn, signInWays } = site.deps;
  const button =
    signOn &&
    html`<p>
      <a class="button" href="${urlOf('/sign-in/oidc', { next })}"
        >${text('signIn.with', { name: signOn.name })}</a
      >
    </p>`;
  const title = text('site.signIn');
  if (signInWays === 'oidc') {
    const only = html`<h1>${title}</h1>
      ${fields.errorSummary()} ${button}`;
    site.showPage(ctx, { title, content: only, status: errors?.status });
    return;
  }
  const content = html`<h1>${title}</h1>
    ${fields.errorSummary()} ${button}
    <form action="/sign-in" method="post" class="card">
      ${tokenField(ctx)}
      <input type="hidden" name="next" value="${next}" />
      <input type="hidden" name="draft" value="${draft}" />
      ${emailField} ${passwordField}
      <button class="button">${title}</button>
    </form>
    <p><a href="/forgotten-password">${text('signIn.forgot')}</a></p>
    ${noAccountYet[site.deps.signUp]()}`;
  site.showPage(ctx, { title, content, status: errors?.status });
}
