import {
  ratio,
  standardDialect,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import { parseJson } from '../providerFailures.ts';
import { imageSize } from '../pixelSize.ts';
import type { JsonObject } from '../routesFileSchema.ts';
import { blackForestLabsSupport } from '../support/blackForestLabsSupport.ts';
import { fluxRules, parseFluxPoll } from './fluxTasks.ts';

/** Longer than an image call may take, in ms: that bound ends it, not the package's own of a minute. */
const maxPollMs = 600_000;

/** FLUX.2 takes sides in multiples of this, the models before it of twice as much, in pixels. */
const step = 16;

/**
 * `@ai-sdk/black-forest-labs` 2. For images one call submits, polls at the URL of a regional host
 * that the submit names, and downloads. The package polls on after "Request Moderated" and takes
 * "Content Moderated" and "Task not found" for answers that it cannot read, so the polls are read
 * here. It warns of any `size`, and takes sides of up to 1920 pixels as options of its own.
 */
export const blackForestLabsDialect: Dialect = {
  ...standardDialect,
  name: 'blackForestLabs',
  // The host of a region answers what api.bfl.ai took.
  apiHosts: ['*.bfl.ai'],
  defaultRules: fluxRules,
  table: blackForestLabsSupport,
  // One that takes no seed; the package finds the tier of the resolution from its short side.
  videoCall: (order) => ({ ...standardVideoCall(order), seed: undefined, own: {} }),
  isVerdict: ({ status, body }) =>
    status === 200 && typeof parseFluxPoll(parseJson(body ?? '')) === 'object',
  queuesImages: true,
  imageCall: (order) => {
    const { model, parameters } = order;
    const { resolution, aspect_ratio: aspectRatio, output_format: format } = parameters;
    const isByRatio = takesRatio(model);
    return {
      ...standardImageCall(order),
      size: undefined,
      aspectRatio: isByRatio ? ratio(aspectRatio) : undefined,
      own: {
        ...(isByRatio ? {} : sides(model, resolution, aspectRatio)),
        // A webp is made of the png when it is stored.
        outputFormat: format === 'jpeg' ? 'jpeg' : 'png',
        pollTimeoutMillis: maxPollMs,
      },
    };
  },
  parseImagePoll: parseFluxPoll,
};

function sides(model: string, resolution: string, aspectRatio: string): JsonObject {
  const { width, height } = imageSize(resolution, aspectRatio, isFlux2(model) ? step : 2 * step);
  return { width, height };
}

function isFlux2(model: string): boolean {
  return model.startsWith('flux-2-');
}

/** Kontext and 1.1 Ultra have sizes of their own, by the ratio. */
function takesRatio(model: string): boolean {
  return /kontext|ultra/.test(model);
}
