import { ratio, standardDialect, standardImageCall, type Dialect } from '../dialect.ts';
import type { SupportTable } from '../routeSupport.ts';
import { fluxRules, parseFluxPoll } from './blackForestLabs.ts';

const readOn = '2026-11-22';

/** Images at Fireworks. Every model makes about one megapixel. */
export const fireworksSupport: SupportTable = [
  {
    type: 'image',
    models: ['*kontext*'],
    does: { resolutions: ['1k'], references: { image: 1 } },
    source: 'https://docs.fireworks.ai/api-reference/generate-or-edit-image-using-flux-kontext',
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k'] },
    source: 'https://ai-sdk.dev/providers/ai-sdk-providers/fireworks',
    readOn,
  },
];

/**
 * `@ai-sdk/fireworks` 3, images. The size follows from the ratio, and is in pixels only for the Stable
 * Diffusion models. Kontext queues its work and is polled by POST; the package keeps polling after a task was
 * moderated, so the polls are interpreted here.
 */
export const fireworksDialect: Dialect = {
  ...standardDialect,
  name: 'fireworks',
  apiHosts: ['api.fireworks.ai'],
  defaultRules: fluxRules,
  table: fireworksSupport,
  imageLooks: /\/get_result$/,
  parseImagePoll: parseFluxPoll,
  imageCall: (order) => {
    const { model, parameters } = order;
    const call = standardImageCall(order);
    if (/diffusion|playground|SSD/i.test(model)) return { ...call, own: {} };
    // A webp is made from the png when it is stored; the other FLUX models answer in a format of their
    // own.
    const format = parameters.output_format === 'jpeg' ? 'jpeg' : 'png';
    return {
      ...call,
      size: undefined,
      aspectRatio: ratio(parameters.aspect_ratio),
      own: model.includes('kontext') ? { output_format: format } : {},
    };
  },
};
