import { UsageError } from './core/errors.ts';
import { noStore } from './core/noStore.ts';
import {
  type CommonOptions,
  type CommonSettings,
  commonSettings,
  fromEnvironment,
  requireBaseUrl,
  requireKey,
} from './core/options.ts';
import { createPace } from './core/pace.ts';
import type { CallPace } from './core/repeat.ts';
import { type Platform, standardPlatform } from './platform.ts';
import { userAgent } from './version.ts';

/** Options of a client. */
export interface FramegateOptions extends CommonOptions {
  /** URL of the API, ending in `/v1`. Default: the environment's `FRAMEGATE_URL`. */
  baseUrl?: string | undefined;
  /** `fg_live_…`. Default: the environment's `FRAMEGATE_KEY`. */
  apiKey?: string | undefined;
  /** Clock, randomness, network and files, for tests. */
  platform?: Partial<Platform> | undefined;
}

/** The settings, checked and complete. */
export interface Settings extends CommonSettings {
  /** Base URL without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  platform: Platform;
  /** Queued generations being awaited, by id: when each was created. */
  queue: Map<string, string>;
  /** One for each limit of the service. */
  paces: Readonly<Record<'creates' | 'polls' | 'otherReads', CallPace>>;
}

/** Creates are charged, so a service is likely to limit them: they are not sent all at once. */
const usualCreates = { burst: 10, intervalMs: 100 };
const usualReads = { burst: 10, intervalMs: 0 };

const baseUrlForm = {
  variable: 'FRAMEGATE_URL',
  ending: '/v1',
  example: 'https://api.example.com/v1',
};

const keyForm = {
  prefix: 'fg_live_',
  option: 'apiKey',
  variable: 'FRAMEGATE_KEY',
  code: 'invalid_api_key_form',
  remedy: "Copy it from your account's API keys page.",
} as const;

/**
 * Completes the options from the environment and checks them.
 * @throws UsageError naming the unusable option and the remedy.
 */
export function completeSettings(options: FramegateOptions): Settings {
  refuseBrowsers();
  return {
    baseUrl: requireBaseUrl(options.baseUrl ?? fromEnvironment('FRAMEGATE_URL'), baseUrlForm),
    apiKey: requireKey(options.apiKey ?? fromEnvironment('FRAMEGATE_KEY'), keyForm),
    ...commonSettings(options, userAgent()),
    platform: { ...standardPlatform, ...options.platform, ...networkOf(options) },
    queue: new Map(),
    paces: {
      creates: createPace(usualCreates),
      polls: createPace(usualReads),
      otherReads: createPace(usualReads),
    },
  };
}

/** The caller's own network replaces the runtime's, also for downloads. */
function networkOf({ fetch: own }: FramegateOptions): Partial<Platform> {
  if (!own) return {};
  const fetch = (url: string, init: RequestInit) => own(url, { ...noStore, ...init });
  return { fetch, fetchFile: fetch };
}

interface RuntimeGlobals {
  navigator?: { userAgent?: string; product?: string };
}

/** Every browser, page or worker, identifies itself as Mozilla; no server runtime does. */
function refuseBrowsers(): void {
  const { userAgent: agent = '', product } = (globalThis as RuntimeGlobals).navigator ?? {};
  if (!agent.startsWith('Mozilla/') && product !== 'ReactNative') return;
  throw new UsageError(
    'browser_refused',
    'This client does not run in browsers or apps: anyone who opens the page could read your API key and spend your credits. Call it from your server, and send the page only what it needs.',
  );
}
