import type { Model } from '@framegate/contract';
import { presentGeneration } from '../../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import type { OrderedWork } from '../../../../domain/generations/order.ts';
import { uploadUrl } from '../../../../domain/generations/uploads.ts';
import { type Form, formOf } from '../../../pages/form.ts';
import { personOf } from '../acting.ts';
import { findOwn } from '../generations/generationStage.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import type { RecentWork } from './recentWork.ts';
import { inSets } from './sets.ts';
import { fittedField, formParameters, parseStudioForm } from './studioForm.ts';
import { findUpload } from './studioUploads.ts';

/**
 * Initial form of the studio: that of an earlier generation (with its seed if the parameter `seed` is `same`) or the
 * remembered one, with a first frame if the parameter `frame` has the id of an upload or of an image.
 */
export async function prefillForm(
  site: Site,
  ctx: SiteContext,
  like: Generation | null,
  recent: RecentWork,
): Promise<Form> {
  const models = site.modelsOf(accountOf(ctx));
  const sets = inSets(recent.items.map(({ item }) => item));
  const form = like
    ? formLike(like, ctx.query['seed'] === 'same')
    : rememberedForm(models, sets, personOf(ctx).id);
  const url = await findPicture(site, ctx, ctx.query['frame']);
  if (url !== null) return withFirstFrame(models, form, url);
  // The page of a set that was just ordered.
  const pageGeneration = ctx.query['like'] === undefined && like;
  const set =
    pageGeneration && sets.find((each) => each.some(({ id }) => id === pageGeneration.id));
  return set ? withField(form, 'times', String(set.length)) : form;
}

/** The choices of the person's newest request in the studio; those for newcomers without one. */
function rememberedForm(
  models: readonly Model[],
  sets: readonly (readonly HistoryItem[])[],
  personId: string,
): Form {
  const last = sets.find(([item]) => item?.channel === 'pc' && item.madeBy === personId);
  const model = models.find(({ id }) => id === last?.[0]?.model);
  if (!last?.[0] || !model) return defaultForm(models);
  const chips = new Set(
    formParameters(model).flatMap(([name, { capability }]) =>
      capability === null ? [] : [`parameters.${name}`],
    ),
  );
  const choices = formLike({ ...last[0], prompt: '', inputs: [] })
    .entries()
    .filter(([name]) => !name.startsWith('parameters.') || chips.has(name));
  return formOf([...choices, ['times', String(last.length)]]);
}

/** The form with the model for newcomers. */
function defaultForm(models: readonly Model[]): Form {
  const model = models.find(({ id }) => id === 'alpha-2.0-fast') ?? models[0];
  return formOf([['model', model?.id ?? '']]);
}

/** The form that produced a generation. @param keepsSeed Otherwise a new seed is drawn. */
export function formLike(generation: Omit<OrderedWork, 'type'>, keepsSeed = false): Form {
  const counts = { image: 0, video: 0, audio: 0 };
  const inputs = generation.inputs.map(({ type, role, url }): [string, string] =>
    role === 'reference' ? [`${type}_${(counts[type] += 1)}`, url] : [role, url],
  );
  const first = generation.inputs.find(({ role }) => role === 'first_frame');
  const parameters = Object.entries(generation.parameters)
    .filter(([, value]) => value !== false && value !== null)
    .map(([name, value]): [string, string] => [`parameters.${name}`, String(value)]);
  return formOf([
    ['model', generation.model],
    ['mode', generation.mode ?? ''],
    ['prompt', generation.prompt],
    ...inputs,
    [fittedField, first?.url ?? ''],
    ...parameters.filter(([name]) => keepsSeed || name !== 'parameters.seed'),
  ]);
}

/** The form with one field set. */
export function withField(form: Form, name: string, value: string): Form {
  return formOf([...form.entries().filter(([each]) => each !== name), [name, value]]);
}

const takesFirstFrame = (model: Model | undefined) =>
  model?.type === 'video' && model.modes.includes('image-to-video');

/** The form with a first frame as its only input, for a model that takes one. */
export function withFirstFrame(models: readonly Model[], form: Form, url: string): Form {
  const model = models.find(({ id }) => id === form.get('model'));
  const source = takesFirstFrame(model) ? form : inModel(form, defaultForm(models));
  const choices = source
    .entries()
    .filter(([name]) => /^(model|prompt|times|parameters\..*)$/.test(name));
  return formOf([...choices, ['mode', 'image-to-video'], ['first_frame', url]]);
}

/** The form with one more reference picture, for a model that takes one. */
export function withReference(models: readonly Model[], form: Form, url: string): Form {
  const { model } = parseStudioForm(form, models);
  const isImage = model.type === 'image' && model.inputs.image.maxCount > 0;
  const isVideo = model.type === 'video' && model.modes.includes('multimodal-to-video');
  const source = isImage || isVideo ? form : inModel(form, defaultForm(models));
  const referring = isImage ? source : withField(source, 'mode', 'multimodal-to-video');
  return withPicture(models, referring, url);
}

/** The form with a picture in its next free slot; a form without slots becomes an image to video. */
export function withPicture(models: readonly Model[], form: Form, url: string): Form {
  const { slots, model } = parseStudioForm(form, models);
  const images = slots.filter(({ type }) => type === 'image');
  const slot = images.find((each) => each.url === '') ?? images.at(-1);
  if (slot) return withField(form, slot.name, url);
  return takesFirstFrame(model) ? withFirstFrame(models, form, url) : form;
}

/** The form's prompt for the model of another form. */
function inModel(form: Form, other: Form): Form {
  return withField(other, 'prompt', form.get('prompt'));
}

/** URL of an uploaded or generated picture; null if there is none. */
async function findPicture(site: Site, ctx: SiteContext, id: unknown): Promise<string | null> {
  const upload = typeof id === 'string' ? await findUpload(site, ctx, id) : null;
  if (upload) {
    return upload.key === null ? null : uploadUrl(site.deps.publicUrls.mediaUrl, upload.id);
  }
  return findOwnPicture(site, ctx, id);
}

/** URL of an image of the account's generation; null if there is none. @param id From `pictureId`. */
export async function findOwnPicture(
  site: Site,
  ctx: SiteContext,
  id: unknown,
): Promise<string | null> {
  const [generationId, index = '0'] = typeof id === 'string' ? id.split('.') : [];
  const generation = await findOwn(site, ctx, generationId);
  const { output } = generation
    ? presentGeneration(generation, site.deps.publicUrls, site.deps.clock.now(), null)
    : {};
  return output?.image_urls?.[Number(index)] ?? null;
}
