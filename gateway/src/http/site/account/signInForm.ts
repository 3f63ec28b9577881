import { html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { formFields, type FormErrors } from './fields.ts';
import type { Site, SiteContext } from './site.ts';

const noAccountYet = {
  open: html`<p>No account yet? <a href="/sign-up">Create one</a>.</p>`,
  invite: html`<p>No account yet? Open the link in your invitation.</p>`,
  closed: null,
};

/**
 * Shows the sign-in form.
 * @param shown.next Path after the sign-in. @param shown.draft Interrupted form, as JSON.
 */
export function showSignIn(
  site: Site,
  ctx: SiteContext,
  shown: { next: string; draft?: string; errors?: FormErrors; status?: number },
): void {
  const { next, draft = '', errors, status } = shown;
  const fields = formFields(ctx.state.form, errors);
  const emailField = fields.input('email', 'E-mail address', {
    type: 'email',
    autocomplete: 'username',
    required: true,
  });
  const passwordField = fields.input('password', 'Password', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const { signOn, ways } = site.deps;
  const way = next === '' ? '' : `?next=${encodeURIComponent(next)}`;
  const button =
    signOn &&
    html`<p><a class="button" href="/sign-in/oidc${way}">Sign in with ${signOn.name}</a></p>`;
  if (ways === 'oidc') {
    const only = html`<h1>Sign in</h1>
      ${fields.errorSummary()} ${button}`;
    site.showPage(ctx, { title: 'Sign in', content: only, status });
    return;
  }
  const content = html`<h1>Sign in</h1>
    ${fields.errorSummary()} ${button}
    <form action="/sign-in" method="post" class="card">
      ${tokenField(ctx)}
      <input type="hidden" name="next" value="${next}" />
      <input type="hidden" name="draft" value="${draft}" />
      ${emailField} ${passwordField}
      <button class="button">Sign in</button>
    </form>
    <p><a href="/forgotten-password">Forgot your password?</a></p>
    ${noAccountYet[site.deps.signUp]}`;
  site.showPage(ctx, { title: 'Sign in', content, status });
}
