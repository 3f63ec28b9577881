import {
  ratio,
  standardDialect,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { PollAnswer } from '../exchanges.ts';
import { imageSize } from '../pixelSize.ts';
import { parseJson, type DefaultRule } from '../providerFailures.ts';
import type { SupportTable } from '../routeSupport.ts';
import type { JsonObject } from '../configuredRoutes.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/black-forest-labs';
const readOn = '2026-11-22';

/** FLUX at Black Forest Labs. Kontext and 1.1 Ultra have their own sizes, by ratio. */
export const blackForestLabsSupport: SupportTable = [
  {
    type: 'video',
    models: ['flux-3-video'],
    does: {
      modes: ['text-to-video', 'image-to-video'],
      seconds: { min: 5, max: 20 },
      resolutions: ['720p', '1080p'],
      aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
      audio: true,
      lastFrame: true,
    },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['flux-2-*klein*'],
    does: { resolutions: ['1k'], references: { image: 4 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['flux-2-*'],
    does: { resolutions: ['1k'], references: { image: 8 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*kontext*'],
    does: { resolutions: ['1k'], references: { image: 4 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*ultra*'],
    does: { resolutions: ['2k'] },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    // In multiples of 32 and up to 1440, no wider ratio comes near the area that is sold.
    does: { resolutions: ['1k'], aspectRatios: ['1:1', '4:3', '3:4', '3:2', '2:3'] },
    source: aiSdk,
    readOn,
  },
];

/** The party at fault, by the status of a task. */
export const fluxRules: readonly DefaultRule[] = [
  { match: /(^|status ")request moderated/i, code: 'input_rejected' },
  { match: /(^|status ")content moderated/i, code: 'output_rejected' },
];

/**
 * Interprets an answer about a task of a FLUX model, at Black Forest Labs or a reseller: the statuses of their
 * "Errors" page; any other is inconclusive.
 */
export function parseFluxPoll(answer: unknown): PollAnswer {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return 'inconclusive';
  const { status } = answer;
  if (status === 'Pending') return 'usable';
  if (status === 'Ready') return hasSample(answer) ? 'usable' : { ended: 'Ready without a sample' };
  const isEnd = ['Request Moderated', 'Content Moderated', 'Error', 'Failed'].includes(
    String(status),
  );
  if (!isEnd) return 'inconclusive';
  const details = 'details' in answer ? JSON.stringify(answer.details) : '';
  return { ended: `${String(status)}: ${details}` };
}

function hasSample(answer: object): boolean {
  const result = 'result' in answer ? answer.result : null;
  if (typeof result !== 'object' || result === null || !('sample' in result)) return false;
  return typeof result.sample === 'string' && URL.canParse(result.sample);
}

/**
 * Longer than an image call may take, in ms, so that the call's limit applies instead of the package's own
 * minute.
 */
const maxPollMs = 600_000;

/** Sides of FLUX.2 are multiples of this, and of twice this for earlier models, in pixels. */
const step = 16;

/**
 * `@ai-sdk/black-forest-labs` 2. For images one call submits, polls the URL of a regional host that the
 * submission names, and downloads. The package keeps polling after "Request Moderated", and cannot read
 * "Content Moderated" and "Task not found", so the polls are interpreted here. It warns about any `size`, and
 * takes sides of up to 1920 pixels as its own options.
 */
export const blackForestLabsDialect: Dialect = {
  ...standardDialect,
  name: 'blackForestLabs',
  // A regional host answers for orders that api.bfl.ai accepted.
  apiHosts: ['*.bfl.ai'],
  defaultRules: fluxRules,
  table: blackForestLabsSupport,
  // The model takes no seed; the package derives the resolution's tier from its short side.
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
        // A webp is made from the png when it is stored.
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

/** Kontext and 1.1 Ultra have their own sizes, by ratio. */
function takesRatio(model: string): boolean {
  return /kontext|ultra/.test(model);
}
