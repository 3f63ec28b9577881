import type { Router } from '@koa/router';
import { keepAccount, requestErasure } from '../../../../application/accounts/erasureRequest.ts';
import { erasureDueAt } from '../../../../domain/accounts/erasureRequest.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { html, richText, time } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { formFields, retryForm } from '../fields.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { erasurePath, exportPath, settingsPath } from '../settingsPaths.ts';
import { loadRequiredProof, requiredProofFields, requirePerson } from '../signIn/proofFields.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { consequences, keepForm } from './erasureParts.ts';

/** The page on which a person asks for the erasure of their own account, or keeps it. */
export function addErasurePages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, erasurePath);
  const title = () => text('erasure.title');

  const show = async (ctx: SiteContext, errors?: FormErrors) => {
    const account = personOf(ctx);
    const dueAt = erasureDueAt(account);
    const fields = formFields(ctx.state.form, errors);
    const proof = requiredProofFields(ctx, await loadRequiredProof(site, ctx), fields);
    const content =
      dueAt === null
        ? html`<h1>${title()}</h1>
            <p>${text('erasure.intro')}</p>
            ${consequences(account, deps.clock.now())}
            <p><a href="${exportPath}">${text('erasure.exportFirst')}</a></p>
            ${fields.errorSummary()}
            <form action="${erasurePath}" method="post" class="card" novalidate>
              ${tokenField(ctx)} ${proof}
              <button class="danger">${text('erasure.ask')}</button>
            </form>`
        : html`<h1>${title()}</h1>
            ${fields.errorSummary()}
            <p>${richText('erasure.asked', { time: time(dueAt) })}</p>
            ${keepForm(ctx)}`;
    site.showPage(ctx, { title: title(), content, status: errors?.status });
  };
  router.get(erasurePath, gate, (ctx: SiteContext) => show(ctx));

  router.post(erasurePath, gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        await requirePerson(site, ctx);
        await requestErasure(deps, personOf(ctx).id);
        redirect(ctx, erasurePath);
      },
      (errors) => show(ctx, errors),
    ),
  );

  router.post(`${erasurePath}/keep`, gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        await keepAccount(deps, personOf(ctx).id);
        keepNotice(ctx, text('erasure.kept'));
        redirect(ctx, settingsPath);
      },
      (errors) => show(ctx, errors),
    ),
  );
}
