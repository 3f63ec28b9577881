import { didYouMean, literalPattern } from '@framegate/contract';
import type { AiSdkProvider, DescribedCalls } from '../configuredRoutes.ts';
import type { Dialect } from '../dialect.ts';
import { parseDialect } from '../parseDialect.ts';
import type { PackageFacts, ProviderRows } from '../rows.ts';
import alibaba from '../rows/alibaba.json' with { type: 'json' };
import blackForestLabs from '../rows/blackForestLabs.json' with { type: 'json' };
import fal from '../rows/fal.json' with { type: 'json' };
import fireworks from '../rows/fireworks.json' with { type: 'json' };
import google from '../rows/google.json' with { type: 'json' };
import googleVertex from '../rows/googleVertex.json' with { type: 'json' };
import openai from '../rows/openai.json' with { type: 'json' };
import replicate from '../rows/replicate.json' with { type: 'json' };
import xai from '../rows/xai.json' with { type: 'json' };
import { sizelessSend, standardSend } from '../sendRules.ts';
import * as falCode from './fal.ts';
import * as flux from './flux.ts';
import * as replicateCode from './replicate.ts';

/** A package tested with Framegate. */
export interface TestedPackage extends PackageFacts {
  dialect: Dialect;
}

/** Options of all factories besides the key and `fetch`. */
const commonOptions = ['baseURL', 'headers'];

type DialectSource = readonly [json: { package: { name: string } }, coded?: Partial<Dialect>];
const dialectSources: readonly DialectSource[] = [
  [alibaba],
  [blackForestLabs, flux.blackForestLabs],
  [fal, falCode.fal],
  [fireworks, flux.fireworks],
  [google],
  [googleVertex],
  [openai],
  [replicate, replicateCode.replicate],
  [xai],
];

/** The tested packages by name; each is read on first use, because a gateway uses few of them. */
export const testedPackages: Readonly<Record<string, TestedPackage>> = Object.defineProperties(
  {},
  Object.fromEntries(
    dialectSources.map(([json, coded]) => {
      let tested: TestedPackage | undefined;
      const get = () => (tested ??= parsePackage(json, coded));
      return [json.package.name, { enumerable: true, get }];
    }),
  ),
);

function parsePackage(json: unknown, coded?: Partial<Dialect>): TestedPackage {
  const { package: facts, ...dialect } = parseDialect(json, coded);
  if (!facts) throw new Error(`the description of ${dialect.name} names no package`);
  return { ...facts, dialect };
}

/** The dialect of a provider's package: the tested one, else the operator's description of its calls. */
export function dialectOf({ package: name, calls }: AiSdkProvider): Dialect {
  return testedPackages[name]?.dialect ?? describedDialect(name, calls);
}

/**
 * Fields without effect in a tested package's entry, one sentence each. They are not errors: the operator may have
 * described the package before Framegate knew it, or use a newer version with further options.
 */
export function idleFields({ package: name, calls, options }: AiSdkProvider): string[] {
  const tested = testedPackages[name];
  if (!tested) return [];
  const names = [...commonOptions, ...tested.options];
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
  return {
    name: optionsName ?? packageName.replace(/^.*\//, ''),
    takesBytesOnly: bytesOnly,
    ...(maxPollMib !== undefined && { maxPollMib }),
    defaultRules: refusals.map((text) => ({
      match: new RegExp(literalPattern(text), 'i'),
      code: 'not_accepted',
    })),
    models: { rows: [], send: sendBy[size] },
  };
}

const { video, image } = sizelessSend;

/** How a size is sent; images have no field for the name of a resolution. */
const sendBy: Readonly<Record<NonNullable<DescribedCalls['size']>, ProviderRows['send']>> = {
  pixels: standardSend,
  name: {
    video: { ...video, resolution: '@resolution' },
    image: { ...image, ratio: '@aspectRatio' },
  },
  ratio: { video, image: { ...image, ratio: '@aspectRatio' } },
};
