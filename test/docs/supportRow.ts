import { catalogue, findModel, type Model } from '@framegate/contract';
import { offeredModel } from '../../gateway/src/adapters/providers/offeredModel.ts';
import type { RouteSupport } from '../../gateway/src/adapters/providers/routeSupport.ts';

/** What a route makes of a model, as a line of the tables in docs/providers.md. */
export function supportRow(
  modelId: string,
  route: { model: string },
  support: RouteSupport,
): string {
  const model = findModel(modelId, catalogue);
  const made = model && offeredModel(model, [support]);
  if (!made) throw new Error(`${route.model} makes nothing of ${modelId}`);
  const cells = made.type === 'video' ? videoCells(made, support) : imageCells(made, support);
  return `| \`${modelId}\` | \`${route.model}\` | ${cells.join(' | ')} |`;
}

const list = (values: readonly string[]) => values.join(' ');

function videoCells(made: Extract<Model, { type: 'video' }>, support: RouteSupport): string[] {
  const { seconds, references, audio } = support;
  const { min, max } = made.duration;
  const lengths =
    seconds === null || 'min' in seconds
      ? `${String(min)}-${String(max)}`
      : list(seconds.filter((each) => each >= min && each <= max).map(String));
  const count = ({ image, video, audio: sound }: RouteSupport['references']) =>
    made.modes.includes('multimodal-to-video') ? [image, video, sound].map(String).join('/') : '-';
  return [
    list(made.modes.map((mode) => mode.replace('-to-video', ''))),
    lengths,
    list(made.resolutions),
    list(made.aspectRatios),
    audio === 'always' ? 'always' : made.generateAudio ? 'as asked' : 'no',
    support.lastFrame && made.modes.includes('image-to-video') ? 'yes' : 'no',
    count(references),
  ];
}

function imageCells(made: Extract<Model, { type: 'image' }>, support: RouteSupport): string[] {
  return [
    'image',
    '-',
    list(made.resolutions),
    list(made.aspectRatios),
    ...['-', '-', String(Math.min(support.references.image, made.inputs.image.maxCount))],
  ];
}
