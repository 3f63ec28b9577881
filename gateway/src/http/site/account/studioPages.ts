import { createHash } from 'node:crypto';
import type { Router } from '@koa/router';
import { keepUploadsFor, uploadsOf } from '../../../application/site/uploads.ts';
import type { Generation } from '../../../domain/generation.ts';
import { canonicalJson } from '../../../domain/idempotency.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { parseUploadUrl } from '../../../domain/mediaFiles.ts';
import { callerAddress } from '../../context.ts';
import { statusOf } from '../../answerErrors.ts';
import { redirect } from '../../pages/context.ts';
import { newFormKey, type Form } from '../../pages/form.ts';
import { formatNumber } from '../../pages/html.ts';
import { findOwn, stageOf } from './generationStage.ts';
import { summarise } from './generationSummary.ts';
import { requireAccount } from './requireAccount.ts';
import { findRecentWork } from './recentWork.ts';
import { accountOf, takeDraft, type Site, type SiteContext, type SiteState } from './site.ts';
import { statusLabels } from './pictures.ts';
import { prefillForm, applyButton } from './studioButtons.ts';
import { parseStudioForm, errorsOf, type StudioForm } from './studioForm.ts';
import { studioView } from './studioView.ts';

const path = '/studio';

/** The studio, which creates generations with the API's use case in the channel `pc`. */
export function studioPages(router: Router<SiteState>, site: Site): void {
  const gate = requireAccount(site, path);

  router.get(path, gate, async (ctx: SiteContext) => {
    const { like, generation } = ctx.query;
    const made = await findOwn(site, ctx, generation);
    const model = like === undefined ? made : await findOwn(site, ctx, like);
    const form = takeDraft(ctx, path) ?? (await prefillForm(site, ctx, model));
    await showStudio(site, ctx, { form, made });
  });

  router.post(path, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    // Keeps the displayed generation while the form for the next one changes.
    const show = async (shown: Form, error?: Refusal) => {
      const made = await findOwn(site, ctx, form.get('generation'));
      await showStudio(site, ctx, { form: shown, made, error });
    };
    const button = form.get('do');
    if (button !== 'create') {
      await show(await applyButton(site, ctx, form, button));
      return;
    }
    if (Object.keys(ctx.state.inputProblems).length > 0) {
      await show(form);
      return;
    }
    const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
    if (studio.costCredits !== null && form.get('shown_credits') !== String(studio.costCredits)) {
      // The form was sent before the page could show the current price.
      const cost = formatNumber(studio.costCredits);
      const message = `This costs ${cost} credits, which the page did not show. Nothing was charged. Create it again to accept this price.`;
      await show(form, new Refusal('invalid_request', { message }));
      return;
    }
    try {
      const answer = await site.createGeneration({
        caller: { accountId: accountOf(ctx).id, keyId: null },
        path: studio.path,
        idempotencyKey: idempotencyKeyOf(form, studio),
        body: studio.body,
        requestId: ctx.state.requestId,
        callerAddress: callerAddress(ctx),
      });
      const { id } = JSON.parse(answer.body) as { id: string };
      const { mediaUrl } = site.addresses;
      if (studio.slots.some(({ url }) => parseUploadUrl(url, mediaUrl) !== null)) {
        await keepUploadsFor(site.deps, id);
      }
      redirect(ctx, `${path}?generation=${id}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.retryAfterSeconds !== undefined) {
        ctx.set('Retry-After', String(error.retryAfterSeconds));
      }
      await show(form, error);
    }
  });
}

/**
 * A repeated submission yields the same key; a changed form, such as after the browser's back button, yields
 * another.
 */
function idempotencyKeyOf(form: Form, { body }: StudioForm): string {
  const content = `${form.get('form_key')} ${canonicalJson(body)}`;
  return `site-${createHash('sha256').update(content).digest('base64url')}`;
}

async function showStudio(
  site: Site,
  ctx: SiteContext,
  { form, made, error }: { form: Form; made: Generation | null; error?: Refusal | undefined },
): Promise<void> {
  const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  const files = Object.entries(ctx.state.inputProblems);
  const isFilled = studio.slots.some(({ url }) => url !== '');
  const stage = made && stageOf(site, ctx, made, summarise(site, made, new Map()));
  const content = studioView(ctx, {
    site,
    made: made && stage && { id: made.id, stage },
    form,
    studio,
    // The key stays the same while the form changes and after a refusal.
    formKey: form.get('form_key') || newFormKey(),
    errors:
      files.length > 0
        ? {
            message: '',
            fields: Object.fromEntries(files.map(([name, { message }]) => [name, message])),
          }
        : error && errorsOf(studio, error),
    recent: await findRecentWork(site, accountOf(ctx)),
    uploads: isFilled ? await uploadsOf(site.deps, accountOf(ctx).id) : [],
  });
  const status = files[0]?.[1].status ?? (error && statusOf(error));
  const title = made ? `${statusLabels[made.status]}: Studio` : 'Studio';
  // Reloading the answer to a form would lose its input.
  const refreshSeconds = ctx.method === 'GET' ? stage?.refreshSeconds : undefined;
  site.showPage(ctx, { title, content, status, refreshSeconds });
}
