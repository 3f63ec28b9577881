import type { Model } from '@framegate/contract';
import { presentGeneration } from '../../../application/generations/presentGeneration.ts';
import { previewInput } from '../../../application/site/madeUploads.ts';
import type { Generation } from '../../../domain/generation.ts';
import { uploadUrl } from '../../../domain/mediaFiles.ts';
import { PlainRefusal, Refusal } from '../../../domain/refusal.ts';
import { formOf, type Form } from '../../pages/form.ts';
import { findOwn } from './generationStage.ts';
import { accountOf, type Site, type SiteContext } from './site.ts';
import { examples } from './studioChoices.ts';
import { parseStudioForm, hostProblem, type StudioForm } from './studioForm.ts';
import { findUpload } from './studioUploads.ts';

/**
 * Initial form of the studio: that of an earlier generation or a default one, with a first frame if the
 * parameter `frame` has the id of an upload or of an image.
 */
export async function prefillForm(
  site: Site,
  ctx: SiteContext,
  like: Generation | null,
): Promise<Form> {
  const models = site.modelsOf(accountOf(ctx));
  const form = like ? formLike(like) : defaultForm(models);
  const url = await findPicture(site, ctx, ctx.query['frame']);
  return url === null ? form : withFirstFrame(models, form, url);
}

function defaultForm(models: readonly Model[]): Form {
  const model = models.find(({ id }) => id === 'alpha-2.0-fast') ?? models[0];
  return formOf([['model', model?.id ?? '']]);
}

/** The form that produced a generation. */
function formLike(generation: Generation): Form {
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

/** The form with a first frame as its only input, for a model that takes one. */
function withFirstFrame(models: readonly Model[], form: Form, url: string): Form {
  const model = models.find(({ id }) => id === form.get('model'));
  const takesFirstFrame = model?.type === 'video' && model.modes.includes('image-to-video');
  const kept = (takesFirstFrame ? form : defaultForm(models))
    .entries()
    .filter(([name]) => /^(model|prompt|parameters\..*)$/.test(name));
  return formOf([...kept, ['mode', 'image-to-video'], ['first_frame', url]]);
}

/** URL of an uploaded or generated picture; null if there is none. */
async function findPicture(site: Site, ctx: SiteContext, id: unknown): Promise<string | null> {
  const upload = typeof id === 'string' ? await findUpload(site, ctx, id) : null;
  if (upload) return upload.key === null ? null : uploadUrl(site.addresses.mediaUrl, upload.id);
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
    ? presentGeneration(found, site.addresses, site.deps.clock.now(), null)
    : {};
  return output?.image_urls?.[Number(index)] ?? null;
}

/**
 * Applies a button of the form: inserts an example, a sample or own picture, clears an input, or previews the
 * file of a URL. Problems of the file are stored in `inputProblems`.
 * @returns The changed form.
 */
export async function applyButton(
  site: Site,
  ctx: SiteContext,
  form: Form,
  button: string,
): Promise<Form> {
  const [kind, value = ''] = button.split(/:(.*)/s);
  if (kind === 'clear') return withField(form, value, '');
  const studio = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  if (kind === 'show') {
    await preview(site, ctx, studio, value);
    return form;
  }
  if (kind === 'example') {
    const prompt = examples[studio.model.type][Number(value)];
    return prompt === undefined ? form : withField(form, 'prompt', prompt);
  }
  const url =
    kind === 'own'
      ? await ownPicture(site, ctx, value)
      : site.samples.find(({ name }) => kind === 'sample' && name === value)?.url;
  const images = studio.slots.filter(({ type }) => type === 'image');
  const slot = images.find((each) => each.url === '') ?? images.at(-1);
  return typeof url === 'string' && slot ? withField(form, slot.name, url) : form;
}

function withField(form: Form, name: string, value: string): Form {
  return formOf([...form.entries().filter(([each]) => each !== name), [name, value]]);
}

/** Previews the file of one input, unless it is a sample. */
async function preview(
  site: Site,
  ctx: SiteContext,
  { slots, model }: StudioForm,
  name: string,
): Promise<void> {
  const slot = slots.find((each) => each.name === name);
  if (!slot || slot.url === '' || site.samples.some(({ url }) => url === slot.url)) return;
  const { type, url } = slot;
  try {
    const { maxBytes } = model.inputs[type];
    await previewInput(site.deps, accountOf(ctx), site.addresses, { type, url, maxBytes });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof PlainRefusal)) throw error;
    ctx.state.inputProblems = { ...ctx.state.inputProblems, [name]: problemOf(error, url) };
  }
}

function problemOf(error: Refusal | PlainRefusal, url: string): PlainRefusal {
  if (error instanceof PlainRefusal) return error;
  const isHost = error.code === 'input_host_not_approved';
  return new PlainRefusal(isHost ? hostProblem(url) : error.message, isHost ? 403 : 400);
}
