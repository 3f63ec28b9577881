import { didYouMean } from '@framegate/contract';
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
  /** Options of its factory, beside those that all packages have. */
  options?: readonly string[];
}

/** Options of all factories, beside the key and `fetch`. */
const commonOptions = ['baseURL', 'headers'];

/** The tested packages by name. */
export const testedPackages: Readonly<Record<string, TestedPackage>> = {
  '@ai-sdk/alibaba': {
    ...tested('2.0.58', alibabaDialect),
    options: ['videoBaseURL', 'embeddingBaseURL', 'includeUsage'],
  },
  '@ai-sdk/black-forest-labs': {
    ...tested('2.0.41', blackForestLabsDialect),
    options: ['pollIntervalMillis', 'pollTimeoutMillis'],
  },
  '@ai-sdk/fal': tested('3.0.41', falDialect),
  '@ai-sdk/fireworks': tested('3.0.62', fireworksDialect),
  '@ai-sdk/google': { ...tested('4.0.121', googleDialect), options: ['name'] },
  '@ai-sdk/google-vertex': {
    ...tested('5.0.141', googleVertexDialect),
    options: ['location', 'project', 'googleAuthOptions'],
  },
  '@ai-sdk/openai': {
    ...tested('4.0.118', openaiDialect),
    options: ['organization', 'project', 'name'],
  },
  '@ai-sdk/replicate': { ...tested('3.0.46', replicateDialect), keyOption: 'apiToken' },
  '@ai-sdk/xai': tested('5.0.12', xaiDialect),
};

function tested(version: string, dialect: Dialect): TestedPackage {
  return { version, dialect, keyOption: 'apiKey' };
}

/** The dialect of a provider's package: the tested one, else the operator's description of its calls. */
export function dialectOf({ package: name, calls }: AiSdkProvider): Dialect {
  return testedPackages[name]?.dialect ?? describedDialect(name, calls);
}

/**
 * Fields without effect in the entry of a tested package, one sentence each. They are no error: the operator may have
 * described the package before Framegate knew it, or use a newer version with further options.
 */
export function idleFields({ package: name, calls, options }: AiSdkProvider): string[] {
  const known = testedPackages[name];
  if (!known) return [];
  const names = [...commonOptions, ...(known.options ?? [])];
  const unknown = Object.keys(options).filter((each) => !names.includes(each));
  return [
    ...(Object.keys(calls).length > 0 ? ['calls is ignored: Framegate knows this package'] : []),
    ...unknown.map(
      (each) => `options.${each} is not an option of the package${didYouMean(each, names)}`,
    ),
  ];
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
