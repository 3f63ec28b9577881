import { literalPattern } from '../../../domain/text.ts';
import type { AiSdkProvider, DescribedCalls } from '../configuredRoutes.ts';
import {
  ratio,
  standardDialect,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { RouteSupport } from '../routeSupport.ts';
import { alibabaDialect } from './alibaba.ts';
import { blackForestLabsDialect } from './blackForestLabs.ts';
import { falDialect } from './fal.ts';
import { fireworksDialect } from './fireworks.ts';
import { googleDialect } from './google.ts';
import { googleVertexDialect } from './googleVertex.ts';
import { openaiDialect } from './openai.ts';
import { replicateDialect } from './replicate.ts';
import { xaiDialect } from './xai.ts';

/** What is known of a package that was tested with Framegate. */
export interface TestedPackage {
  /** The version that the tests run. */
  version: string;
  dialect: Dialect;
  /** Under which name the factory takes the key. */
  keyOption: 'apiKey' | 'apiToken';
}

/** The packages that were tested, by their names. */
export const testedPackages: Readonly<Record<string, TestedPackage>> = {
  '@ai-sdk/alibaba': { version: '2.0.58', dialect: alibabaDialect, keyOption: 'apiKey' },
  '@ai-sdk/black-forest-labs': {
    version: '2.0.41',
    dialect: blackForestLabsDialect,
    keyOption: 'apiKey',
  },
  '@ai-sdk/fal': { version: '3.0.41', dialect: falDialect, keyOption: 'apiKey' },
  '@ai-sdk/fireworks': { version: '3.0.62', dialect: fireworksDialect, keyOption: 'apiKey' },
  '@ai-sdk/google': { version: '4.0.121', dialect: googleDialect, keyOption: 'apiKey' },
  '@ai-sdk/google-vertex': {
    version: '5.0.141',
    dialect: googleVertexDialect,
    keyOption: 'apiKey',
  },
  '@ai-sdk/openai': { version: '4.0.118', dialect: openaiDialect, keyOption: 'apiKey' },
  '@ai-sdk/replicate': { version: '3.0.46', dialect: replicateDialect, keyOption: 'apiToken' },
  '@ai-sdk/xai': { version: '5.0.12', dialect: xaiDialect, keyOption: 'apiKey' },
};

/**
 * The dialect of a provider's package: the tested one, or what the operator says of its calls.
 * @throws Error when the operator describes the calls of a package that has a dialect.
 */
export function dialectOf({ package: name, calls }: AiSdkProvider): Dialect {
  const tested = testedPackages[name]?.dialect;
  if (!tested) return describedDialect(name, calls);
  if (Object.keys(calls).length === 0) return tested;
  throw new Error(`calls is for packages that Framegate does not know; ${name} is known`);
}

/** The interface as documented, with what the operator says of the package's calls. */
export function describedDialect(
  packageName: string,
  { optionsName, size = 'pixels', bytesOnly = false, refusals = [], maxPollMib }: DescribedCalls,
): Dialect {
  const inBody = refusals.map(literalPattern).join('|');
  return {
    ...standardDialect,
    name: optionsName ?? packageName.replace(/^.*\//, ''),
    takesBytesOnly: bytesOnly,
    ...(maxPollMib !== undefined && { maxPollBytes: maxPollMib * 1024 * 1024 }),
    ...(inBody !== '' && { refusedBeforeWork: new RegExp(inBody, 'i') }),
    ...(size !== 'pixels' && {
      videoCall: (order) => {
        const call = standardVideoCall(order);
        // The interface writes it as pixels; these packages take a name there.
        const name = order.parameters.resolution as NonNullable<typeof call.resolution>;
        return { ...call, resolution: size === 'name' ? name : undefined, own: {} };
      },
      imageCall: (order) => ({
        ...standardImageCall(order),
        size: undefined,
        aspectRatio: ratio(order.parameters.aspect_ratio),
        own: {},
      }),
    }),
  };
}

/**
 * Where a package is told nothing of the resolution there must be one alone, because it is billed.
 * @throws Error for the operator.
 */
export function requireOneResolution(
  { size = 'pixels' }: DescribedCalls,
  type: 'video' | 'image',
  { resolutions }: Pick<RouteSupport, 'resolutions'>,
): void {
  const isSent = size === 'pixels' || (size === 'name' && type === 'video');
  if (isSent || resolutions?.length === 1) return;
  throw new Error(
    `its package is not told the resolution (calls.size is "${size}"): supports.resolutions must name the one that it makes`,
  );
}
