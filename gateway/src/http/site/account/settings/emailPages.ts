import type { Router } from '@koa/router';
import {
  askForEmailChange,
  confirmEmailChange,
  type EmailChange,
} from '../../../../application/accounts/changeEmail.ts';
import { text } from '../../../../texts/text.ts';
import { originOf, redirect, rememberBrowser } from '../../../pages/context.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Html, html, richText } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { formFields, retryForm } from '../fields.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { settingsPath } from '../settingsPaths.ts';
import { loadRequiredProof, requiredProofFields, requirePerson } from '../signIn/proofFields.ts';
import {
  emailChangeOf,
  keepEmailChange,
  keepNotice,
  type Site,
  type SiteContext,
  type SiteState,
} from '../site.ts';

const path = `${settingsPath}/email`;

/** Pages that change the address of an account: a form, and a second one for the codes from both mailboxes. */
export function addEmailPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, path);
  const title = () => text('emailChange.title');

  const showForm = async (ctx: SiteContext, errors?: FormErrors) => {
    const fields = formFields(ctx.state.form, errors);
    const email = fields.input('email', text('emailChange.new'), {
      type: 'email',
      autocomplete: 'email',
      required: true,
    });
    const proof = requiredProofFields(ctx, await loadRequiredProof(site, ctx), fields);
    const content = html`<h1>${title()}</h1>
      <p>${text('emailChange.intro')}</p>
      ${fields.errorSummary()}
      <form action="${path}" method="post" class="card" novalidate>
        ${tokenField(ctx)} ${email} ${proof}
        <button class="button">${text('emailChange.ask')}</button>
      </form>`;
    site.showPage(ctx, { title: title(), content, status: errors?.status });
  };

  const showCodes = async (ctx: SiteContext, errors?: FormErrors) => {
    const change = emailChangeOf(ctx);
    if (change === null) return showForm(ctx, errors);
    const content = codesView(ctx, title(), change, errors);
    site.showPage(ctx, { title: title(), content, status: errors?.status });
  };

  router.get(path, gate, (ctx: SiteContext) => showForm(ctx));
  router.post(path, gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        await requirePerson(site, ctx);
        const request = { typed: ctx.state.form.get('email'), from: originOf(ctx) };
        keepEmailChange(ctx, await askForEmailChange(deps, personOf(ctx), request));
        redirect(ctx, `${path}/codes`);
      },
      (errors) => showForm(ctx, errors),
    ),
  );
  router.get(`${path}/codes`, gate, (ctx: SiteContext) => showCodes(ctx));
  router.post(`${path}/codes`, gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        const change = emailChangeOf(ctx);
        if (change === null) {
          redirect(ctx, path);
          return;
        }
        const { form, session } = ctx.state;
        await confirmEmailChange(deps, personOf(ctx), {
          change,
          newCode: form.get('new_code'),
          oldCode: form.get('old_code'),
          keptSessionId: session?.id,
          from: originOf(ctx),
        });
        // Marks name the address.
        rememberBrowser(ctx, deps, change);
        keepEmailChange(ctx, null);
        keepNotice(ctx, text('emailChange.changed', { email: change.email }));
        redirect(ctx, settingsPath);
      },
      (errors) => showCodes(ctx, errors),
    ),
  );
}

function codesView(
  ctx: SiteContext,
  title: string,
  { email }: EmailChange,
  errors?: FormErrors,
): Html {
  const fields = formFields(ctx.state.form, errors);
  const code = (name: string, errorName: string, address: string) =>
    fields.input(name, text('emailChange.codeFor', { email: address }), {
      errorName,
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      maxlength: 20,
      required: true,
    });
  const old = personOf(ctx).email;
  const codes = [code('new_code', 'newCode', email), code('old_code', 'oldCode', old)];
  const link = (inner: Html) => html`<a href="${path}">${inner}</a>`;
  return html`<h1>${title}</h1>
    <p>${text('emailChange.sent', { email, old })}</p>
    ${fields.errorSummary()}
    <form action="${path}/codes" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${codes}
      <button class="button">${title}</button>
    </form>
    <p>${richText('emailChange.again', { link })}</p>`;
}
