import { capabilitiesOf, type Model } from '@framegate/contract';
import { sourceOfUrl } from '../../../../application/studio/madeUploads.ts';
import { listUploads } from '../../../../application/studio/uploads.ts';
import { parseOwnOutputUrl } from '../../../../domain/generations/mediaUrl.ts';
import { parseUploadUrl, type Upload } from '../../../../domain/generations/uploads.ts';
import { text } from '../../../../texts/text.ts';
import { parseRatio } from '../../../pages/elements.ts';
import type { Form } from '../../../pages/form.ts';
import { findOwn } from '../generations/generationStage.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { fittedField, type InputSlot, parseStudioForm } from './studioForm.ts';
import { withField } from './studioPrefill.ts';

/**
 * The form with the model's aspect ratio that is closest to the first frame, and a sentence about a change. It is set
 * once for each frame, so that a ratio chosen afterwards stays.
 */
export async function chooseRatio(
  site: Site,
  ctx: SiteContext,
  form: Form,
): Promise<{ form: Form; note?: string }> {
  const { model, slots, typed } = parseStudioForm(form, site.modelsOf(accountOf(ctx)));
  const frame = slots.find(({ role, url }) => role === 'first_frame' && url !== '');
  const { aspect_ratio: chosen } = typed;
  if (!frame) return { form: withField(form, fittedField, '') };
  if (frame.url === form.get(fittedField) && chosen !== undefined) return { form };
  const size = await measureSize(site, ctx, frame);
  if (size === null) return { form };
  const fitted = withField(form, fittedField, frame.url);
  const ratio = closestRatio(model, size);
  if (ratio === (chosen ?? model.defaults.aspectRatio)) return { form: fitted };
  const note = text('studio.ratioFits', { ratio });
  return { form: withField(fitted, 'parameters.aspect_ratio', ratio), note };
}

type PictureSize = NonNullable<Upload['size']>;

function closestRatio(model: Model, { width, height }: PictureSize): string {
  const distance = (ratio: string) => {
    const { width: across, height: down } = parseRatio(ratio);
    return Math.abs(Math.log((across * height) / (down * width)));
  };
  const [first = '', ...others] = capabilitiesOf(model).aspect_ratios;
  return others.reduce((best, each) => (distance(each) < distance(best) ? each : best), first);
}

/** The size, or the shape, of the picture in an input; null if unknown. */
async function measureSize(
  site: Site,
  ctx: SiteContext,
  slot: InputSlot,
): Promise<PictureSize | null> {
  const { deps, samples } = site;
  if (samples.some(({ url }) => url === slot.url)) return parseRatio('16:9');
  const { mediaUrl, mediaSigningKeys } = deps.publicUrls;
  const own = parseOwnOutputUrl(slot.url, mediaUrl, mediaSigningKeys, deps.clock.now());
  if (own) {
    const generation = own.ok ? await findOwn(site, ctx, own.generationId) : null;
    return generation && parseRatio(generation.parameters.aspect_ratio);
  }
  const id = parseUploadUrl(slot.url, mediaUrl);
  const source = sourceOfUrl(slot);
  const uploads = await listUploads(deps, accountOf(ctx).id);
  return uploads.find((each) => each.id === id || each.source === source)?.size ?? null;
}
