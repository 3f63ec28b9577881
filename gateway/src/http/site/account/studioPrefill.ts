import { presentGeneration } from '../../../application/generations/presentGeneration.ts';
import type { Generation } from '../../../domain/generation.ts';
import { uploadUrl } from '../../../domain/mediaFiles.ts';
import { formOf, type Form } from '../../pages/form.ts';
import { findOwn } from './generationStage.ts';
import type { Site, SiteContext } from './site.ts';
import { findUpload } from './studioUploads.ts';

/**
 * The form with which the studio opens: that of an earlier generation of the account, or the first one of all;
 * with a picture of the account as its first frame where the address names one (`frame`: the id of an upload,
 * or of a generation of images).
 */
export async function prefillForm(
  site: Site,
  ctx: SiteContext,
  like: Generation | null,
): Promise<Form> {
  const form = like ? formLike(like) : firstForm(site);
  const url = await findPicture(site, ctx, ctx.query['frame']);
  return url === null ? form : withFirstFrame(site, form, url);
}

function firstForm(site: Site): Form {
  const model = site.models.find(({ id }) => id === 'alpha-2.0-fast') ?? site.models[0];
  return formOf([['model', model?.id ?? '']]);
}

/** The form that made a generation. */
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

/** The form with a first frame and no other input, for a model that takes one. */
function withFirstFrame(site: Site, form: Form, url: string): Form {
  const model = site.models.find(({ id }) => id === form.get('model'));
  const canBegin = model?.type === 'video' && model.modes.includes('image-to-video');
  const kept = (canBegin ? form : firstForm(site))
    .entries()
    .filter(([name]) => /^(model|prompt|parameters\..*)$/.test(name));
  return formOf([...kept, ['mode', 'image-to-video'], ['first_frame', url]]);
}

/** The address of a picture of the account: an upload, or the first image of a generation; null where there is none. */
async function findPicture(site: Site, ctx: SiteContext, id: unknown): Promise<string | null> {
  const upload = typeof id === 'string' ? await findUpload(site, ctx, id) : null;
  if (upload) return upload.key === null ? null : uploadUrl(site.addresses.mediaUrl, upload.id);
  return ownPicture(site, ctx, id);
}

/** The address of the first image of a generation of the account; null where there is none. */
export async function ownPicture(
  site: Site,
  ctx: SiteContext,
  id: unknown,
): Promise<string | null> {
  const found = await findOwn(site, ctx, id);
  const { output } = found
    ? presentGeneration(found, site.addresses, site.deps.clock.now(), null)
    : {};
  return output?.image_urls?.[0] ?? null;
}
