import type { Model } from '@framegate/contract';
import { presentGeneration } from '../../../../application/generations/presentGeneration.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import type { OrderedWork } from '../../../../domain/generations/order.ts';
import { uploadUrl } from '../../../../domain/generations/mediaFiles.ts';
import { formOf, type Form } from '../../../pages/form.ts';
import { findOwn } from '../generations/generationStage.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { parseStudioForm } from './studioForm.ts';
import { findUpload } from './studioUploads.ts';

/**
 * Initial form of the studio: that of an earlier generation (with its seed if the parameter `seed` is `same`) or a
 * default one, with a first frame if the parameter `frame` has the id of an upload or of an image.
 */
export async function prefillForm(
  site: Site,
  ctx: SiteContext,
  like: Generation | null,
): Promise<Form> {
  const models = site.modelsOf(accountOf(ctx));
  const form = like ? formLike(like, ctx.query['seed'] === 'same') : defaultForm(models);
  const url = await findPicture(site, ctx, ctx.query['frame']);
  return url === null ? form : withFirstFrame(models, form, url);
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
  const parameters = Object.entries(generation.parameters)
    .filter(([, value]) => value !== false)
    .map(([name, value]): [string, string] => [`parameters.${name}`, String(value)]);
  return formOf([
    ['model', generation.model],
    ['mode', generation.mode ?? ''],
    ['prompt', generation.prompt],
    ...inputs,
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
  const of = takesFirstFrame(model) ? form : inModel(form, defaultForm(models));
  const kept = of.entries().filter(([name]) => /^(model|prompt|parameters\..*)$/.test(name));
  return formOf([...kept, ['mode', 'image-to-video'], ['first_frame', url]]);
}

/** The form with one more reference picture, for a model that takes one. */
export function withReference(models: readonly Model[], form: Form, url: string): Form {
  const { model } = parseStudioForm(form, models);
  const isImage = model.type === 'image' && model.inputs.image.maxCount > 0;
  const isVideo = model.type === 'video' && model.modes.includes('multimodal-to-video');
  const of = isImage || isVideo ? form : inModel(form, defaultForm(models));
  const referring = isImage ? of : withField(of, 'mode', 'multimodal-to-video');
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
  if (upload)
    return upload.key === null ? null : uploadUrl(site.deps.addresses.mediaUrl, upload.id);
  return ownPicture(site, ctx, id);
}

/** URL of an image of the account's generation; null if there is none. @param id From `pictureId`. */
export async function ownPicture(
  site: Site,
  ctx: SiteContext,
  id: unknown,
): Promise<string | null> {
  const [generationId, index = '0'] = typeof id === 'string' ? id.split('.') : [];
  const found = await findOwn(site, ctx, generationId);
  const { output } = found
    ? presentGeneration(found, site.deps.addresses, site.deps.clock.now(), null)
    : {};
  return output?.image_urls?.[Number(index)] ?? null;
}
