import type { AiSdkProvider, DescribedCalls } from '../configuredRoutes.ts';
import { standardDialect, type Dialect } from '../dialect.ts';
import { literalPattern } from '../routeSupport.ts';
import type { ProviderRows } from '../rows.ts';
import { sizelessSend, standardSend } from '../send.ts';
import { alibabaDialect } from './alibaba.ts';
import { blackForestLabsDialect } from './blackForestLabs.ts';
import { falDialect } from './fal.ts';
import { fireworksDialect } from './fireworks.ts';
import { googleDialect } from './google.ts';
import { googleVertexDialect } from './googleVertex.ts';
import { openaiDialect } from './openai.ts';
import { replicateDialect } from './replicate.ts';
import { xaiDialect } from './xai.ts';

/** A package tested with Framegate. */
export interface TestedPackage {
  /** The tested version. */
  version: string;
  dialect: Dialect;
  /** The factory's name for the key. */
  keyOption: 'apiKey' | 'apiToken';
}

/** The tested packages by name. */
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

/** The dialect of a provider's package: the tested one, else the operator's description of its calls. */
export function dialectOf({ package: name, calls }: AiSdkProvider): Dialect {
  return testedPackages[name]?.dialect ?? describedDialect(name, calls);
}

/**
 * Whether a provider's `calls` has no effect, because its package has a tested dialect. It is no error: the
 * operator may have described the package before Framegate knew it.
 */
export function ignoresCalls({ package: name, calls }: AiSdkProvider): boolean {
  return testedPackages[name] !== undefined && Object.keys(calls).length > 0;
}

/** The documented interface, adapted by the operator's description of the package's calls. */
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
    models: { rows: [], send: sendBy[size] },
  };
}

const { video, image } = sizelessSend;

/** How a size is sent: images have no field for the name of a resolution. */
const sendBy: Readonly<Record<NonNullable<DescribedCalls['size']>, ProviderRows['send']>> = {
  pixels: standardSend,
  name: {
    video: { ...video, resolution: '@resolution' },
    image: { ...image, ratio: '@aspectRatio' },
  },
  ratio: { video, image: { ...image, ratio: '@aspectRatio' } },
};
