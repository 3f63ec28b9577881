import type { AiSdkProvider } from '../configuredRoutes.ts';
import type { Dialect } from '../dialect.ts';
import { alibabaDialect } from './alibabaDialect.ts';
import { blackForestLabsDialect } from './blackForestLabsDialect.ts';
import { describedDialect } from './describedDialect.ts';
import { falDialect } from './falDialect.ts';
import { fireworksDialect } from './fireworksDialect.ts';
import { googleDialect } from './googleDialect.ts';
import { googleVertexDialect } from './googleVertexDialect.ts';
import { openaiDialect } from './openaiDialect.ts';
import { replicateDialect } from './replicateDialect.ts';
import { xaiDialect } from './xaiDialect.ts';

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
