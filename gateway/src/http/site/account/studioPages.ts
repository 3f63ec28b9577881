import { createHash } from 'node:crypto';
import type { Router } from '@koa/router';
import { keepUploadsFor, uploadsOf } from '../../../application/site/uploads.ts';
import type { Generation } from '../../../domain/generation.ts';
import { canonicalJson } from '../../../domain/idempotency.ts';
import { PlainRefusal, Refusal } from '../../../domain/refusal.ts';
import { parseUploadUrl } from '../../../domain/mediaFiles.ts';
import { callerAddress } from '../../context.ts';
import { statusOf } from '../../answerErrors.ts';
import { redirect, type Next } from '../../pages/context.ts';
import { formOf, newFormKey, type Form } from '../../pages/form.ts';
import { formatNumber } from '../../pages/html.ts';
import { isOpen, progressOf } from './generationProgress.ts';
import { findOwn } from './generationStage.ts';
import { requireAccount } from './requireAccount.ts';
import { findRecentWork } from './recentWork.ts';
import { accountOf, takeDraft, type Site, type SiteContext, type SiteState } from './site.ts';
import { labelOf } from './pictures.ts';
import { takeStartedPrompt } from './startedPrompt.ts';
import { applyButton } from './studioButtons.ts';
import { feedOf } from './studioFeed.ts';
import { parseStudioForm, errorsOf, type StudioForm } from './studioForm.ts';
import { formLike, prefillForm, withField, withPicture } from './studioPrefill.ts';
import { studioView } from './studioView.ts';

const path = '/studio';

/** The page as shown: the form, and a sentence from a button or a refusal. */
interface Shown {
  form: Form;
  opened: Generation | null;
  error?: Refusal | PlainRefusal | undefined;
  note?: string | undefined;
}

/** The studio, which creates generations with the API's use case in the channel `pc`. */
export function studioPages(router: Router<SiteState>, site: Site): void {
  const gate = requireAccount(site, path);

  router.get(path, gate, async (ctx: SiteContext) => {
    const { like, generation } = ctx.query;
    const opened = await findOwn(site, ctx, generation);
    const model = like === undefined ? opened : await findOwn(site, ctx, like);
    const form = takeDraft(ctx, path) ?? (await prefillForm(site, ctx, model));
    const started = takeStartedPrompt(ctx);
    const filled = started === null ? form : withField(form, 'prompt', started);
    await showStudio(site, ctx, { form: filled, opened });
  });

  router.post(path, gate, async (ctx: SiteContext) => {
    const added = ctx.state.form.get('add');
    const form =
      added === ''
        ? ctx.state.form
        : withPicture(site.modelsOf(accountOf(ctx)), ctx.state.form, added);
    const button = form.get('do');
    const hasProblems = Object.keys(ctx.state.inputProblems).length > 0;
    if (button === 'create' && !hasProblems) return create(site, ctx, form);
    // Keeps the generation that the page was opened with.
    const opened = await findOwn(site, ctx, form.get('generation'));
    try {
      const applied = button === 'create' ? { form } : await applyButton(site, ctx, form, button);
      await showStudio(site, ctx, { ...applied, opened });
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof PlainRefusal)) throw error;
      await showStudio(site, ctx, { form, opened, error });
    }
  });

  // Orders the request of an earlier generation once more. After a sign-in, the browser returns to its page.
  const gateAgain = (ctx: SiteContext, next: Next) =>
    requireAccount(site, `/generations/${ctx.params['id'] ?? ''}`)(ctx, next);
  router.post('/generations/:id/again', gateAgain, async (ctx: SiteContext) => {
    const found = await findOwn(site, ctx, ctx.params['id']);
    if (!found) throw new Refusal('generation_not_found');
    const sent = ['form_key', 'shown_credits'].map((name): [string, string] => [
      name,
      ctx.state.form.get(name),
    ]);
    await create(site, ctx, formOf([...formLike(found).entries(), ...sent]));
  });
}

/** Creates the form's request at the price that the page showed, and shows it in the studio. */
async function create(site: Site, ctx: SiteContext, form: Form): Promise<void> {
  const refuse = async (error: Refusal) => {
    const opened = await findOwn(site, ctx, form.get('generation'));
    await showStudio(site, ctx, { form, opened, error });
  };
  const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  if (studio.costCredits !== null && form.get('shown_credits') !== String(studio.costCredits)) {
    // The form was sent before the page could show the current price.
    const cost = formatNumber(studio.costCredits);
    const message = `This costs ${cost} credits, which the page did not show. Nothing was charged. Create it again to accept this price.`;
    return refuse(new Refusal('invalid_request', { message }));
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
    await refuse(error);
  }
}

/**
 * A repeated submission yields the same key; a changed form, such as after the browser's back button, yields
 * another.
 */
function idempotencyKeyOf(form: Form, { body }: StudioForm): string {
  const content = `${form.get('form_key')} ${canonicalJson(body)}`;
  return `site-${createHash('sha256').update(content).digest('base64url')}`;
}

async function showStudio(site: Site, ctx: SiteContext, shown: Shown): Promise<void> {
  const { form, opened, error, note } = shown;
  const models = site.modelsOf(accountOf(ctx));
  const studio = parseStudioForm(form, models);
  const files = Object.entries(ctx.state.inputProblems);
  const isFilled = studio.slots.some(({ url }) => url !== '');
  const recent = await findRecentWork(site, accountOf(ctx));
  if (error?.retryAfterSeconds !== undefined) {
    ctx.set('Retry-After', String(error.retryAfterSeconds));
  }
  const content = studioView(ctx, {
    site,
    form,
    studio,
    models,
    // The key stays the same while the form changes and after a refusal.
    formKey: form.get('form_key') || newFormKey(),
    errors:
      files.length > 0
        ? {
            message: '',
            fields: Object.fromEntries(files.map(([name, { message }]) => [name, message])),
          }
        : error instanceof Refusal
          ? errorsOf(studio, error)
          : error,
    note,
    recent,
    uploads: isFilled ? await uploadsOf(site.deps, accountOf(ctx).id) : [],
    opened: opened?.id,
    feed: await feedOf(site, ctx, recent, opened),
  });
  const refused = error instanceof Refusal ? statusOf(error) : error?.status;
  const status = files[0]?.[1].status ?? refused;
  const title = opened ? `${labelOf(opened).words}: Studio` : 'Studio';
  // Reloading the answer to a form would lose its input.
  const refreshSeconds =
    ctx.method === 'GET' && opened && isOpen(opened)
      ? progressOf(site, opened).retry_after_seconds
      : undefined;
  site.showPage(ctx, { title, content, status, refreshSeconds, script: 'studio' });
}
