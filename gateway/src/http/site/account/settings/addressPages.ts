import type { Router } from '@koa/router';
import {
  type AddressChange,
  askForAddress,
  confirmAddress,
} from '../../../../application/accounts/changeAddress.ts';
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
  addressChangeOf,
  keepAddressChange,
  keepNotice,
  type Site,
  type SiteContext,
  type SiteState,
} from '../site.ts';

const path = `${settingsPath}/address`;

/** Pages that change the address of an account: a form, and a second one for the codes from both mailboxes. */
export function addAddressPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, path);
  const title = () => text('address.title');

  const showForm = async (ctx: SiteContext, errors?: FormErrors) => {
    const fields = formFields(ctx.state.form, errors);
    const email = fields.input('email', text('address.new'), {
      type: 'email',
      autocomplete: 'email',
      required: true,
    });
    const proof = requiredProofFields(ctx, await loadRequiredProof(site, ctx), fields);
    const content = html`<h1>${title()}</h1>
      <p>${text('address.intro')}</p>
      ${fields.errorSummary()}
      <form action="${path}" method="post" class="card" novalidate>
        ${tokenField(ctx)} ${email} ${proof}
        <button class="button">${text('address.ask')}</button>
      </form>`;
    site.showPage(ctx, { title: title(), content, status: errors?.status });
  };

  const showCodes = async (ctx: SiteContext, errors?: FormErrors) => {
    const change = addressChangeOf(ctx);
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
        keepAddressChange(ctx, await askForAddress(deps, personOf(ctx), request));
        redirect(ctx, `${path}/codes`);
      },
      (errors) => showForm(ctx, errors),
    ),
  );
  router.get(`${path}/codes`, gate, (ctx: SiteContext) => showCodes(ctx));
  router.post(`${path}/codes`, gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        const change = addressChangeOf(ctx);
        if (change === null) {
          redirect(ctx, path);
          return;
        }
        const { form, session } = ctx.state;
        await confirmAddress(deps, personOf(ctx), {
          change,
          newCode: form.get('new_code'),
          oldCode: form.get('old_code'),
          keptSessionId: session?.id,
          from: originOf(ctx),
        });
        // Marks name the address.
        rememberBrowser(ctx, deps, change);
        keepAddressChange(ctx, null);
        keepNotice(ctx, text('address.changed', { email: change.email }));
        redirect(ctx, settingsPath);
      },
      (errors) => showCodes(ctx, errors),
    ),
  );
}

function codesView(
  ctx: SiteContext,
  title: string,
  { email }: AddressChange,
  errors?: FormErrors,
): Html {
  const fields = formFields(ctx.state.form, errors);
  const code = (name: string, errorName: string, address: string) =>
    fields.input(name, text('address.codeFor', { email: address }), {
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
    <p>${text('address.sent', { email, old })}</p>
    ${fields.errorSummary()}
    <form action="${path}/codes" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${codes}
      <button class="button">${title}</button>
    </form>
    <p>${richText('address.again', { link })}</p>`;
}
