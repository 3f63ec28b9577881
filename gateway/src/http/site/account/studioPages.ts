import { createHash } from 'node:crypto';
import type { Router } from '@koa/router';
import { presentGeneration } from '../../../application/generations/presentGeneration.ts';
import { keepUploadsFor } from '../../../application/site/uploads.ts';
import { canonicalJson } from '../../../domain/idempotency.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { parseUploadUrl } from '../../../domain/upload.ts';
import { callerAddress } from '../../context.ts';
import { statusOf } from '../../answerErrors.ts';
import { redirect } from '../../pages/context.ts';
import { formOf, newFormKey, type Form } from '../../pages/form.ts';
import { formatNumber } from '../../pages/html.ts';
import type { FormErrors } from './fields.ts';
import { findOwn, stageOf } from './generationStage.ts';
import { summarise } from './historyPages.ts';
import { requireAccount } from './signInPages.ts';
import { findRecentWork } from './recentWork.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from './site.ts';
import { takeDraft } from './siteSession.ts';
import { statusLabels } from './statusLabels.ts';
import { examples } from './studioChoices.ts';
import { parameterNames, parseStudioForm, type StudioForm } from './studioForm.ts';
import { typedProblems } from './studioProblems.ts';
import { findUpload } from './studioUploads.ts';
import { studioView } from './studioView.ts';

const path = '/studio';

/** Make a video or images in the browser: the same use case as the API's, in the channel `pc`. */
export function studioPages(router: Router<SiteState>, site: Site): void {
  const gate = requireAccount(site, path);

  router.get(path, gate, async (ctx: SiteContext) => {
    const form =
      takeDraft(ctx, path) ??
      (await likeAnother(site, ctx)) ??
      (await asFirstFrame(site, ctx)) ??
      firstForm(site);
    await showStudio(site, ctx, form);
  });

  router.post(path, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const wish = form.get('do');
    if (wish !== 'create') {
      await showStudio(site, ctx, await fulfil(site, ctx, form, wish));
      return;
    }
    if (Object.keys(ctx.state.uploadProblems).length > 0) {
      await showStudio(site, ctx, form);
      return;
    }
    const studio = parseStudioForm(form, site.models);
    if (studio.costCredits !== null && form.get('shown_credits') !== String(studio.costCredits)) {
      // The page had another price, or none: it was changed and sent before its price could follow.
      const cost = formatNumber(studio.costCredits);
      const message = `This costs ${cost} credits, which the page did not show. Nothing was charged: create it once more if that is right.`;
      await showStudio(site, ctx, form, new Refusal('invalid_request', { message }));
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
      if (studio.slots.some(({ url }) => uploadIn(site, url) !== null)) {
        await keepUploadsFor(site.deps, id);
      }
      redirect(ctx, `${path}?generation=${id}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.retryAfterSeconds !== undefined) {
        ctx.set('Retry-After', String(error.retryAfterSeconds));
      }
      await showStudio(site, ctx, form, error);
    }
  });
}

/**
 * The same form sent twice means one generation; a form that was changed and sent again, as by the
 * browser's back button, means another.
 */
function idempotencyKeyOf(form: Form, { body }: StudioForm): string {
  const meant = `${form.get('form_key')} ${canonicalJson(body)}`;
  return `site-${createHash('sha256').update(meant).digest('base64url')}`;
}

function firstForm(site: Site): Form {
  const model = site.models.find(({ id }) => id === 'alpha-2.0-fast') ?? site.models[0];
  return formOf([['model', model?.id ?? '']]);
}

/** The id of the upload that an input's field names; null where it names none. */
function uploadIn({ addresses }: Site, url: string): string | null {
  return parseUploadUrl(url, addresses.mediaUrl);
}

/** The form that made an earlier generation of the account. */
async function likeAnother(site: Site, ctx: SiteContext): Promise<Form | null> {
  const { like, generation: shown } = ctx.query;
  const generation = await findOwn(site, ctx, like ?? shown);
  if (!generation) return null;
  const counts = { image: 0, video: 0, audio: 0 };
  const inputs = generation.inputs.map(({ type, role, url }): [string, string] =>
    role === 'reference' ? [`${type}_${(counts[type] += 1)}`, url] : [role, url],
  );
  const parameters = Object.entries(generation.parameters)
    .filter(([, value]) => value !== false)
    .map(([name, value]): [string, string] => [`parameters.${name}`, String(value)]);
  return formOf([
    ['model', generation.model],
    ['mode', generation.mode ?? ''],
    ['prompt', generation.prompt],
    ...inputs,
    ...parameters.filter(([name]) => name !== 'parameters.seed'),
  ]);
}

/** The form that begins with a finished image of the account as its first frame. */
async function asFirstFrame(site: Site, ctx: SiteContext): Promise<Form | null> {
  const url = await ownPicture(site, ctx, ctx.query['frame']);
  if (url === null) return null;
  const form = firstForm(site).entries();
  return formOf([...form, ['mode', 'image-to-video'], ['first_frame', url]]);
}

/** The address of the first image of a generation of the account; null where there is none. */
async function ownPicture(site: Site, ctx: SiteContext, id: unknown): Promise<string | null> {
  const found = await findOwn(site, ctx, id);
  const { output } = found
    ? presentGeneration(found, site.addresses, site.deps.clock.now(), null)
    : {};
  return output?.image_urls?.[0] ?? null;
}

/** The form with what a button of it puts in: an example, a sample picture, a picture of one's own, or nothing. */
async function fulfil(site: Site, ctx: SiteContext, form: Form, wish: string): Promise<Form> {
  const [kind, what = ''] = wish.split(/:(.*)/s);
  if (kind === 'clear') return withField(form, what, '');
  const studio = parseStudioForm(form, site.models);
  if (kind === 'example') {
    const prompt = examples[studio.model.type][Number(what)];
    return prompt === undefined ? form : withField(form, 'prompt', prompt);
  }
  const url =
    kind === 'own'
      ? await ownPicture(site, ctx, what)
      : site.samples.find(({ name }) => kind === 'sample' && name === what)?.url;
  const images = studio.slots.filter(({ type }) => type === 'image');
  const slot = images.find((each) => each.url === '') ?? images.at(-1);
  return typeof url === 'string' && slot ? withField(form, slot.name, url) : form;
}

function withField(form: Form, name: string, value: string): Form {
  return formOf([...form.entries().filter(([each]) => each !== name), [name, value]]);
}

async function showStudio(
  site: Site,
  ctx: SiteContext,
  form: Form,
  error?: Refusal,
): Promise<void> {
  const studio = parseStudioForm(form, site.models);
  const files = Object.entries(ctx.state.uploadProblems);
  const uploads = await Promise.all(
    studio.slots.map(({ url }) => findUpload(site, ctx, uploadIn(site, url) ?? '')),
  );
  // The page may show another form than the one that made it, and keeps showing it while that is filled in.
  const shownId = ctx.query['generation'] ?? form.get('generation');
  const made = await findOwn(site, ctx, shownId);
  const stage = made && stageOf(site, made, summarise(site, made, new Map()));
  const content = studioView(ctx, {
    site,
    made: made && stage && { id: made.id, stage },
    form,
    studio,
    // The key stays with the form while it is filled in; a page that shows a refusal may keep it, too.
    formKey: form.get('form_key') || newFormKey(),
    errors:
      files.length > 0
        ? {
            message: '',
            fields: Object.fromEntries(files.map(([name, { message }]) => [name, message])),
          }
        : error && errorsOf(studio, error),
    recent: await findRecentWork(site, accountOf(ctx)),
    uploads: uploads.filter((each) => each !== null),
  });
  const status = files[0]?.[1].status ?? (error && statusOf(error));
  const title = made ? `${statusLabels[made.status]}: Studio` : 'Studio';
  // What is filled in would be lost: only a page that was just come to looks again by itself.
  const refreshSeconds = ctx.method === 'GET' ? stage?.refreshSeconds : undefined;
  site.showPage(ctx, { title, content, status, refreshSeconds });
}

/** A refusal as errors of fields; what no field can put right stands above the form. */
function errorsOf(studio: StudioForm, error: Refusal): FormErrors {
  const details =
    error.details.length > 0
      ? error.details
      : error.param === undefined
        ? []
        : [{ param: error.param, message: error.message }];
  const fields = {
    ...Object.fromEntries(
      details.map(({ param, message }): [string, string] => {
        const field = studio.fieldOf(param);
        const slot = studio.slots.find(({ name }) => name === field);
        const isHost = error.code === 'input_host_not_approved' && slot !== undefined;
        return [field, isHost ? hostProblem(slot.url) : message];
      }),
    ),
    ...(error.code === 'invalid_request' && typedProblems(studio)),
  };
  const known = new Set(fieldsOf(studio));
  const others = Object.entries(fields).filter(([name]) => !known.has(name));
  const { credits } = error;
  const message = credits
    ? `This costs ${credits.required} credits, and you have ${credits.available}.`
    : details.length === 0
      ? error.message
      : others.map(([name, text]) => `${name}: ${text}`).join(' ');
  return { fields, message };
}

/** The API's own sentence is about the key of a request, which the studio has not. */
function hostProblem(url: string): string {
  const host = URL.parse(url)?.host ?? 'this host';
  return `None of your API keys has ${host} approved. Ask for it on the page of your keys, or use a file on an approved host.`;
}

function fieldsOf({ model, slots, hasRealPerson }: StudioForm): string[] {
  const parameters = [
    ...parameterNames[model.type],
    ...(hasRealPerson ? ['real_person_mode'] : []),
  ];
  return [
    'model',
    'mode',
    'prompt',
    ...slots.map(({ name }) => name),
    ...parameters.map((name) => `parameters.${name}`),
    ...(hasRealPerson ? ['compliance.rights_confirmed', 'compliance.consent_reference'] : []),
  ];
}
