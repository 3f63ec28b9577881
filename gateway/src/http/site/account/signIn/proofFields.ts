import {
  findRequiredProof,
  type RequiredProof,
  requireProof,
} from '../../../../application/signIn/proof.ts';
import { text } from '../../../../texts/text.ts';
import { originOf } from '../../../pages/context.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Html, html } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { type FormFields, formFields } from '../fields.ts';
import { confirmationOf, keepConfirmation, type Site, type SiteContext } from '../site.ts';

/** The fields that the signed-in person must enter for new access. */
export const loadRequiredProof = ({ deps }: Site, ctx: SiteContext): Promise<RequiredProof> =>
  findRequiredProof(deps, personOf(ctx));

/** Requires the proof that `requiredProofFields` collect. @param isSentAgain See `ProofTyped`. @throws Refusal */
export function requirePerson(
  { deps }: Site,
  ctx: SiteContext,
  isSentAgain = false,
): Promise<void> {
  const { form } = ctx.state;
  return requireProof(deps, personOf(ctx), {
    password: form.get('current_password'),
    mailedCode: form.get('mailed_code'),
    code: form.get('code'),
    confirmationId: confirmationOf(ctx),
    keepConfirmation: (id) => {
      keepConfirmation(ctx, id);
    },
    isSentAgain,
    from: originOf(ctx),
  });
}

/** Field of the current password. @param prefix See `requiredProofFields`. */
export const currentPasswordField = (fields: FormFields, label: string, prefix = ''): Html =>
  fields.input('current_password', label, {
    errorName: `${prefix}current`,
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });

/** Hidden field that tells password managers whose password a form asks for. */
export const usernameField = (email: string): Html =>
  html`<input type="hidden" name="username" value="${email}" autocomplete="username" />`;

/**
 * The fields of a form that gives new access.
 * @param options.prefix Distinguishes the fields of several forms on one page.
 * @param options.codeLabel Label of the code, if a recovery code is not accepted.
 */
export function requiredProofFields(
  ctx: SiteContext,
  requiredProof: RequiredProof,
  fields: FormFields,
  {
    prefix = '',
    codeLabel = text('secondFactor.codeOrRecovery'),
  }: { prefix?: string; codeLabel?: string | undefined } = {},
): Html {
  const proof =
    requiredProof.by === 'password'
      ? currentPasswordField(fields, text('settings.yourPassword'), prefix)
      : fields.input('mailed_code', text('proof.mailedCode'), {
          errorName: `${prefix}current`,
          hint: text('proof.mailedCodeHint'),
          value: '',
          inputmode: 'numeric',
          autocomplete: 'one-time-code',
          maxlength: 20,
        });
  return html`${usernameField(personOf(ctx).email)} ${proof}
  ${
    requiredProof.needsFactor &&
    fields.input('code', codeLabel, {
      errorName: `${prefix}code`,
      value: '',
      autocomplete: 'one-time-code',
      maxlength: 40,
      required: true,
    })
  }`;
}

/** The proof fields of a form among others on its page. @param errors Errors of this form. */
export function prefixedProofFields(
  ctx: SiteContext,
  requiredProof: RequiredProof,
  prefix: string,
  errors: FormErrors | undefined,
): Html {
  const prefixed = errors && {
    message: errors.message,
    fields: Object.fromEntries(
      Object.entries(errors.fields).map(([name, words]) => [`${prefix}${name}`, words]),
    ),
  };
  return requiredProofFields(ctx, requiredProof, formFields(ctx.state.form, prefixed), { prefix });
}
