import { sitePage } from '@framegate/contract/operator';
import type { App } from '../../../../application/app.ts';
import type { Confirmation } from '../../../../application/ports/site.ts';
import { minPasswordLength } from '../../../../domain/signIn/password.ts';
import { text } from '../../../../texts/text.ts';
import { pathToReturnTo } from '../../../pages/context.ts';
import { tokenField, urlOf } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Html, html, richText } from '../../../pages/html.ts';
import { formFields } from '../fields.ts';
import type { SiteContext } from '../site.ts';
import { usernameField } from './proofFields.ts';

/** Path of the page of a confirmation. @param next Path of the page after it. */
export const confirmPath = (id: string, next: string | null) =>
  urlOf(`/confirm/${id}`, { next: next ?? '' });

/** A link to the sign-in. */
export const toSignIn = (inner: Html) => html`<a href="/sign-in">${inner}</a>`;
const toSignUp = (inner: Html) => html`<a href="/sign-up">${inner}</a>`;
const toNewPassword = (inner: Html) => html`<a href="/forgotten-password">${inner}</a>`;

/** Ways to get another code for an expired or lost one. */
const anotherCode = {
  open: {
    expired: () => richText('signUp.expiredVerify', { link: toSignUp }),
    noMail: () => richText('signUp.noMail', { link: toSignUp }),
  },
  invite: {
    expired: () => richText('signUp.expiredVerifyInvited'),
    noMail: () => richText('signUp.noMailInvited'),
  },
  closed: {
    expired: () => richText('signUp.expiredVerifyClosed', { link: toSignIn }),
    noMail: () => richText('signUp.noMailClosed', { link: toSignIn }),
  },
};

/** The page of an expired confirmation. */
export const expiredContent = (title: string, signUp: App['signUp']) =>
  html`<h1>${title}</h1>
    <p>${text('signUp.codeExpiredReasons')}</p>
    <ul>
      <li>${richText('signUp.expiredVerified', { link: toSignIn })}</li>
      <li>${anotherCode[signUp].expired()}</li>
      <li>${richText('signUp.expiredReset', { link: toNewPassword })}</li>
    </ul>`;

/** The form for a code from an email and a new password. */
export function confirmContent(
  ctx: SiteContext,
  { title, signUp, isInvitation }: { title: string; signUp: App['signUp']; isInvitation: boolean },
  { id, email, purpose }: Confirmation,
  errors?: FormErrors,
): Html {
  const { form } = ctx.state;
  const isReset = purpose === 'reset';
  const fields = formFields(form, errors);
  const code = fields.input('code', text('signUp.code'), {
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: 20,
    required: true,
  });
  const label = text(isReset ? 'settings.newPassword' : 'signUp.password');
  const password = fields.input('password', label, {
    hint: text(isReset ? 'signUp.newPasswordHint' : 'signUp.passwordHint', {
      min: minPasswordLength,
    }),
    type: 'password',
    autocomplete: 'new-password',
    minlength: minPasswordLength,
    required: true,
  });
  const revokesKeys = form.get('revoke_keys') !== '';
  const next = pathToReturnTo(ctx.query['next'] ?? form.get('next'), sitePage);
  const noMail = () => {
    if (isReset) return richText('signUp.noMail', { link: toNewPassword });
    return isInvitation ? richText('signUp.noInvitation') : anotherCode[signUp].noMail();
  };
  const owner = { email: html`<strong>${email}</strong>` };
  return html`<h1>${title}</h1>
    <p>
      ${isInvitation ? richText('signUp.sentInvitation', owner) : richText('signUp.sent', owner)}
    </p>
    ${fields.errorSummary()}
    <form action="/confirm/${id}" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${code} ${usernameField(email)}
      ${next !== null && html`<input type="hidden" name="next" value="${next}" />`} ${password}
      ${
        isReset &&
        html`<label class="check"
          ><input type="checkbox" name="revoke_keys" value="yes" ${revokesKeys && html`checked`} />
          ${text('signUp.revokeKeys')}</label
        >`
      }
      <button class="button">${text(isReset ? 'settings.changePassword' : 'signUp.verify')}</button>
    </form>
    <p>${noMail()}</p>`;
}
