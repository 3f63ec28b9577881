import { UsageError } from './errors.ts';
import type { Error as Refusal } from './generated/api.ts';
import { atLevel, isLogLevel, type Logger, type LogLevel } from './log.ts';
import { noStore } from './noStore.ts';
import { createPace, type Pace } from './pace.ts';
import { isPrivateHost } from './privateHost.ts';
import { standardPlatform, type Platform } from './platform.ts';
import { userAgent } from './version.ts';

/** Options of a client. */
export interface FramegateOptions {
  /** Address of the API, ending in `/v1`. Default: the environment's `FRAMEGATE_URL`. */
  baseUrl?: string | undefined;
  /** `fg_live_…`. Default: the environment's `FRAMEGATE_KEY`. */
  apiKey?: string | undefined;
  /** Time limit of one request, and of a download without a byte, in ms. Default 30 s. */
  requestTimeoutMs?: number | undefined;
  /** How long a call is retried while the service does not answer or asks to wait, in ms. Default 2 min. */
  retryBudgetMs?: number | undefined;
  /** Receives each error that leads to a retry, and the pause before it in ms. */
  onRetry?: ((error: Error, inMs: number) => void) | undefined;
  /** Makes every request, including downloads; for example through a proxy. Default: the runtime's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Sent with every request, including downloads. `user-agent` replaces the client's own; headers that a request itself
   * needs, such as `authorization`, take precedence.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Receives log messages, for example `console`; never the API key or the addresses of files. */
  logger?: Logger | undefined;
  /** Lowest level to log. Default `info`. */
  logLevel?: LogLevel | undefined;
  /** Clock, randomness, network and files, for tests. */
  platform?: Partial<Platform> | undefined;
}

/** The settings, checked and complete. */
export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  requestTimeoutMs: number;
  retryBudgetMs: number;
  onRetry: (error: Error, inMs: number) => void;
  platform: Platform;
  /** Headers of every request. */
  headers: Headers;
  log: Logger;
  /** Queued generations being awaited, by id: when each was created. */
  queue: Map<string, string>;
  /** One for each limit of the service. */
  paces: Readonly<Record<'creates' | 'polls' | 'otherReads', Pace<Refusal['error']>>>;
}

/** Creates are charged, so a service is likely to limit them: they are not sent all at once. */
const usualCreates = { burst: 10, intervalMs: 100 };
const usualReads = { burst: 10, intervalMs: 0 };

/**
 * Completes the options from the environment and checks them.
 * @throws UsageError naming the unusable option and the remedy.
 */
export function readSettings(options: FramegateOptions): Settings {
  refuseBrowsers();
  return {
    baseUrl: checkedBaseUrl(options.baseUrl ?? fromEnvironment('FRAMEGATE_URL')),
    apiKey: checkedKey(options.apiKey ?? fromEnvironment('FRAMEGATE_KEY')),
    requestTimeoutMs: checkedMs('requestTimeoutMs', options.requestTimeoutMs ?? 30_000),
    retryBudgetMs: checkedMs('retryBudgetMs', options.retryBudgetMs ?? 120_000),
    onRetry: options.onRetry ?? (() => undefined),
    platform: { ...standardPlatform, ...options.platform, ...networkOf(options) },
    headers: checkedHeaders(options.headers),
    log: logOf(options),
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

function checkedHeaders(given: FramegateOptions['headers']): Headers {
  try {
    const headers = new Headers(given);
    if (!headers.has('user-agent')) headers.set('user-agent', userAgent());
    return headers;
  } catch (cause) {
    throw new UsageError('invalid_option', 'headers must be names and values of HTTP headers.', {
      cause,
    });
  }
}

const silence = () => undefined;
const noLogger: Logger = { debug: silence, info: silence, warn: silence, error: silence };

function logOf({ logger = noLogger, logLevel = 'info' }: FramegateOptions): Logger {
  if (isLogLevel(logLevel)) return atLevel(logger, logLevel);
  throw new UsageError('invalid_option', 'logLevel must be debug, info, warn, error or off.');
}

/** Checks a waiting time. @throws UsageError for other values. */
export function checkedMs(name: string, ms: number): number {
  if (ms >= 0) return ms;
  throw new UsageError('invalid_option', `${name} must be a number of milliseconds from 0.`);
}

interface Surroundings {
  navigator?: { userAgent?: string; product?: string };
  process?: { env?: Record<string, string | undefined> };
}
const surroundings = globalThis as Surroundings;

/** Every browser, page or worker, identifies itself as Mozilla; no server runtime does. */
function refuseBrowsers(): void {
  const { userAgent = '', product } = surroundings.navigator ?? {};
  if (!userAgent.startsWith('Mozilla/') && product !== 'ReactNative') return;
  throw new UsageError(
    'browser_refused',
    'This client does not run in browsers or apps: whoever opens the page could read your API key and spend your credits. Call it on your server, and give the page what it needs.',
  );
}

function fromEnvironment(name: string): string {
  return surroundings.process?.env?.[name] ?? '';
}

function checkedKey(key: string): string {
  if (/^fg_live_[0-9A-Za-z]{38}$/.test(key)) return key;
  const why =
    key === ''
      ? 'There is no API key: pass apiKey, or set FRAMEGATE_KEY.'
      : /\s/.test(key)
        ? 'The API key has blanks or line ends around it or in it.'
        : 'This is not an API key: one is fg_live_ and 38 letters and digits.';
  throw new UsageError('invalid_api_key_form', `${why} Copy it from the API keys of your account.`);
}

function checkedBaseUrl(text: string): string {
  const refused = (why: string) =>
    new UsageError(
      'invalid_base_url',
      `${why} The base URL is such as https://api.example.com/v1.`,
    );
  if (text === '') throw refused('There is no base URL: pass baseUrl, or set FRAMEGATE_URL.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\/[^/]/i.test(text) || /[\s?#]/.test(text) || url.username !== '') {
    throw refused('The base URL is not an address.');
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    throw refused('The base URL must begin with https://: anyone between could read the key.');
  }
  const base = text.replace(/\/+$/, '');
  if (!base.endsWith('/v1')) throw refused(`The base URL must end in /v1: ${base}/v1 perhaps.`);
  return base;
}
