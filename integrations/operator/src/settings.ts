import {
  type CommonOptions,
  type CommonSettings,
  commonSettings,
  fromEnvironment,
  requireBaseUrl,
  requireKey,
} from './generated/options.ts';
import { createPace } from './generated/pace.ts';
import { type Platform, standardPlatform } from './generated/platform.ts';
import type { CallPace } from './generated/repeat.ts';
import { userAgent } from './version.ts';

/** Options of a client. */
export interface OperatorOptions extends CommonOptions {
  /** URL of the API, ending in `/operator/v1`. Default: the environment's `FRAMEGATE_OPERATOR_URL`. */
  baseUrl?: string | undefined;
  /** `fg_operator_…`. Default: the environment's `FRAMEGATE_OPERATOR_KEY`. */
  operatorKey?: string | undefined;
  /** Clock, randomness and network, for tests. */
  platform?: Partial<Platform> | undefined;
}

/** The settings, checked and complete. */
export interface Settings extends CommonSettings {
  /** Base URL without a trailing slash. */
  baseUrl: string;
  operatorKey: string;
  platform: Platform;
  pace: CallPace;
}

/** The gateway accepts 6,000 requests per key and minute, so the limit is rarely reached. */
const usualPace = { burst: 10, intervalMs: 0 };

const baseUrlForm = {
  variable: 'FRAMEGATE_OPERATOR_URL',
  ending: '/operator/v1',
  example: 'http://127.0.0.1:8081/operator/v1',
};

const keyForm = {
  prefix: 'fg_operator_',
  option: 'operatorKey',
  variable: 'FRAMEGATE_OPERATOR_KEY',
  code: 'invalid_operator_key_form',
  remedy: '"npm run admin -- operator-key create" creates one.',
} as const;

/**
 * Completes the options from the environment and checks them.
 * @throws UsageError naming the unusable option and the remedy.
 */
export function completeSettings(options: OperatorOptions): Settings {
  const {
    baseUrl = fromEnvironment('FRAMEGATE_OPERATOR_URL'),
    operatorKey = fromEnvironment('FRAMEGATE_OPERATOR_KEY'),
    fetch: own,
    platform,
  } = options;
  const fetch = own && ((url: string, init: RequestInit) => own(url, init));
  return {
    baseUrl: requireBaseUrl(baseUrl, baseUrlForm),
    operatorKey: requireKey(operatorKey, keyForm),
    ...commonSettings(options, userAgent()),
    platform: { ...standardPlatform, ...platform, ...(fetch && { fetch }) },
    pace: createPace(usualPace),
  };
}
