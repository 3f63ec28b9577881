import type { Router } from '@koa/router';
import { listUploads } from '../../../../application/studio/uploads.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { text } from '../../../../texts/text.ts';
import { does } from '../../../atWork.ts';
import { redirect } from '../../../pages/context.ts';
import { type Form, formOf, newFormKey } from '../../../pages/form.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { statusOf } from '../../../respondToErrors.ts';
import { isOpen, progressOf } from '../generations/generationProgress.ts';
import { findOwn, generationPath } from '../generations/generationStage.ts';
import { labelOf } from '../pictures.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import {
  accountOf,
  keepNotice,
  type Site,
  type SiteContext,
  type SiteState,
  takeDraft,
} from '../site.ts';
import { chooseRatio } from './firstFrame.ts';
import { findRecentWork, type RecentWork } from './recentWork.ts';
import { takeKeptPrompt } from './startedPrompt.ts';
import { applyButton, type ButtonResult } from './studioButtons.ts';
import { renderFeed } from './studioFeed.ts';
import { maxLines, parseStudioForm, perLine } from './studioForm.ts';
import { showConfirmation } from './studioList.ts';
import { checkShownPrice, describeRefusedLines, orderLines, orderSet } from './studioOrders.ts';
import { formLike, prefillForm, withField, withPicture } from './studioPrefill.ts';
import { describeCount } from './studioPrice.ts';
import { errorsOf, typedProblems } from './studioProblems.ts';
import { studioView } from './studioView.ts';

const path = '/studio';

/** The state of the page: the form, and a sentence from a button or a refusal. */
interface StudioPage {
  form: Form;
  pageGeneration: Generation | null;
  error?: Refusal | undefined;
  /** The refusal in different words. */
  errors?: FormErrors;
  note?: string | undefined;
  /** Recent work; read again if absent. */
  recent?: RecentWork;
}

/** The studio, which creates generations with the API's use case in the channel `pc`. */
export function addStudioPages(router: Router<SiteState>, site: Site): void {
  const gate = requireSignedIn(site, path);

  router.get(path, gate, async (ctx: SiteContext) => {
    const { like, generation } = ctx.query;
    const pageGeneration = await findOwn(site, ctx, generation);
    const model = like === undefined ? pageGeneration : await findOwn(site, ctx, like);
    const draft = takeDraft(ctx, path);
    const prompt = takeKeptPrompt(ctx);
    const recent = await findRecentWork(site, accountOf(ctx));
    const form = draft ?? (await prefillForm(site, ctx, model, recent));
    const filled = draft ?? (prompt === null ? form : withField(form, 'prompt', prompt));
    await showStudio(site, ctx, {
      ...(await chooseRatio(site, ctx, filled)),
      pageGeneration,
      recent,
    });
  });

  router.post(path, does('order'), gate, async (ctx: SiteContext) => {
    const pictureUrl = ctx.state.form.get('add');
    const form =
      pictureUrl === ''
        ? ctx.state.form
        : withPicture(site.modelsOf(accountOf(ctx)), ctx.state.form, pictureUrl);
    const button = form.get('do');
    const hasProblems = Object.keys(ctx.state.inputProblems).length > 0;
    if (button === 'create' && !hasProblems) {
      return form.get('times') === perLine ? confirm(site, ctx, form) : create(site, ctx, form);
    }
    if (button === 'create-list') return createList(site, ctx, form);
    // Keeps the generation that the page was opened with.
    const pageGeneration = await findOwn(site, ctx, form.get('generation'));
    try {
      const applied: ButtonResult =
        button === 'create' ? { form } : await applyButton(site, ctx, form, button);
      const fitted = await chooseRatio(site, ctx, applied.form);
      const notes = [applied.note, fitted.note].filter((each) => each !== undefined);
      const note = notes.length > 0 ? notes.join(' ') : undefined;
      await showStudio(site, ctx, { form: fitted.form, note, pageGeneration });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await showStudio(site, ctx, { form, pageGeneration, error });
    }
  });

  // Repeats the request of an earlier generation. After a sign-in, the browser returns to its page.
  const requireSignIn = requireSignedIn(site, generationPath);
  router.post('/generations/:id/again', does('order'), requireSignIn, async (ctx: SiteContext) => {
    const generation = await findOwn(site, ctx, ctx.params['id']);
    if (!generation) throw new Refusal('generation_not_found');
    const ownFields = ['form_key', 'shown_credits'].map((name): [string, string] => [
      name,
      ctx.state.form.get(name),
    ]);
    await create(site, ctx, formOf([...formLike(generation).entries(), ...ownFields]));
  });
}

/** Creates the form's request at the price shown on the page, and shows it in the studio. */
async function create(site: Site, ctx: SiteContext, form: Form): Promise<void> {
  const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  try {
    checkShownPrice(form, studio);
    redirect(ctx, `${path}?generation=${await orderSet(site, ctx, form, studio)}`);
  } catch (error) {
    await showRefusal(site, ctx, form, error);
  }
}

/** Shows the studio again with a refusal. @throws Any other error. */
async function showRefusal(
  site: Site,
  ctx: SiteContext,
  form: Form,
  error: unknown,
  errors?: FormErrors,
): Promise<void> {
  if (!(error instanceof Refusal)) throw error;
  const pageGeneration = await findOwn(site, ctx, form.get('generation'));
  await showStudio(site, ctx, { form, pageGeneration, error, ...(errors && { errors }) });
}

/** Confirms all lines of a list at once, at one price; a form with one line needs no confirmation. */
async function confirm(site: Site, ctx: SiteContext, form: Form): Promise<void> {
  const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  const { lines, costCredits } = studio;
  if (lines?.length === 1) return create(site, ctx, form);
  const problems = typedProblems(studio);
  if (lines === null || costCredits === null || Object.keys(problems).length > 0) {
    const errors = { message: '', fields: problems };
    return showRefusal(site, ctx, form, new Refusal('invalid_request'), errors);
  }
  showConfirmation(site, ctx, form, { ...studio, lines, costCredits });
}

/** Creates the lines of a list; refused ones stay in the form. */
async function createList(site: Site, ctx: SiteContext, form: Form): Promise<void> {
  const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  const { lines, costCredits } = studio;
  if (form.get('shown_credits') !== String(costCredits) || (lines?.length ?? 0) > maxLines) {
    return confirm(site, ctx, form);
  }
  const { ids, refused } = await orderLines(site, ctx, form, studio);
  const [first] = refused;
  const last = ids.at(-1);
  if (last === undefined) {
    return showRefusal(site, ctx, form, first?.refusal ?? new Refusal('invalid_request'));
  }
  const results = describeCount({ ...studio, times: ids.length });
  if (!first) {
    keepNotice(ctx, text('studio.onTheirWay', { results }));
    redirect(ctx, `${path}?generation=${last}`);
    return;
  }
  const left = refused.map(({ line }) => line).join('\n');
  const pageGeneration = await findOwn(site, ctx, last);
  await showStudio(site, ctx, {
    // With a new key: a remaining line may equal one that was created.
    form: withField(withField(form, 'prompt', left), 'form_key', newFormKey()),
    pageGeneration,
    error: first.refusal,
    errors: {
      message: text('studio.othersStay', { results }),
      fields: { prompt: describeRefusedLines(refused) },
    },
  });
}

async function showStudio(site: Site, ctx: SiteContext, page: StudioPage): Promise<void> {
  const { form, pageGeneration, error, errors, note } = page;
  const models = site.modelsOf(accountOf(ctx));
  const studio = parseStudioForm(form, models);
  const files = Object.entries(ctx.state.inputProblems);
  const isFilled = studio.slots.some(({ url }) => url !== '');
  const recent = page.recent ?? (await findRecentWork(site, accountOf(ctx)));
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
        : (errors ?? (error && errorsOf(studio, error))),
    note,
    recent,
    uploads: isFilled ? await listUploads(site.deps, accountOf(ctx).id) : [],
    generationId: pageGeneration?.id,
    feed: await renderFeed(site, ctx, recent, pageGeneration),
  });
  const status = files[0]?.[1].status ?? (error && statusOf(error));
  const title = pageGeneration
    ? text('studio.titleOf', { state: labelOf(pageGeneration).words })
    : text('site.studio');
  // Reloading the response to a form would lose its input.
  const refreshSeconds =
    ctx.method === 'GET' && pageGeneration && isOpen(pageGeneration)
      ? progressOf(site, pageGeneration).retry_after_seconds
      : undefined;
  site.showPage(ctx, { title, content, status, refreshSeconds, script: 'studio' });
}
