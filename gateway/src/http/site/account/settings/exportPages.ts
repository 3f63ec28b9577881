import type { Router } from '@koa/router';
import { minuteMs } from '@framegate/contract';
import { addFilesWithinMs, exportAccount } from '../../../../application/accounts/exportAccount.ts';
import { text } from '../../../../texts/text.ts';
import { does } from '../../../atWork.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { html } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { formFields, retryForm } from '../fields.ts';
import { sendArchive } from '../generations/zipResponse.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { exportPath } from '../settingsPaths.ts';
import { loadRequiredProof, requiredProofFields, requirePerson } from '../signIn/proofFields.ts';
import type { Site, SiteContext, SiteState } from '../site.ts';

/** The page with the archive of all data of a person's own account. */
export function addExportPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, exportPath);

  const show = async (ctx: SiteContext, errors?: FormErrors) => {
    const fields = formFields(ctx.state.form, errors);
    const proof = requiredProofFields(ctx, await loadRequiredProof(site, ctx), fields);
    const title = text('export.title');
    const content = html`<h1>${title}</h1>
      <p>${text('export.intro', { minutes: addFilesWithinMs / minuteMs })}</p>
      ${fields.errorSummary()}
      <form action="${exportPath}" method="post" class="card" novalidate>
        ${tokenField(ctx)} ${proof}
        <button class="button">${text('export.download')}</button>
      </form>`;
    site.showPage(ctx, { title, content, status: errors?.status });
  };
  router.get(exportPath, gate, (ctx: SiteContext) => show(ctx));

  router.post(exportPath, does('export'), gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        await requirePerson(site, ctx);
        const account = personOf(ctx);
        const contents = await exportAccount(deps, account);
        sendArchive(ctx, { name: `${deps.brand.slug}-account`, contents });
      },
      (errors) => show(ctx, errors),
    ),
  );
}
