import { UsageError } from './errors.ts';
import type { Error as Refusal } from './generated/api.ts';
import { atLevel, isLogLevel, type Logger, type LogLevel } from './generated/log.ts';
import { createPace, type Pace } from './generated/pace.ts';
import { isPrivateHost } from './generated/privateHost.ts';
import { standardPlatform, type Platform } from './platform.ts';
import { userAgent } from './version.ts';

/** Options of a client. */
export interface OperatorOptions {
  /** Address of the API, ending in `/operator/v1`. Default: the environment's `FRAMEGATE_OPERATOR_URL`. */
  baseUrl?: string | undefined;
  /** `fg_operator_…`. Default: the environment's `FRAMEGATE_OPERATOR_KEY`. */
  operatorKey?: string | undefined;
  /** Time limit of one request in ms, in addition to the time that it asks the gateway to wait. Default 30 s. */
  requestTimeoutMs?: number | undefined;
  /** How long a call is retried while the gateway does not answer or asks to wait, in ms. Default 2 min. */
  retryBudgetMs?: number | undefined;
  /** Receives each error that leads to a retry, and the pause before it in ms. */
  onRetry?: ((error: Error, inMs: number) => void) | undefined;
  /** Makes every request. Default: the runtime's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request; headers that a request itself needs, such as `authorization`, take precedence. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Receives log messages, for example `console`; never the operator key. */
  logger?: Logger | undefined;
  /** Lowest level to log. Default `info`. */
  logLevel?: LogLevel | undefined;
  /** Clock, randomness and network, for tests. */
  platform?: Partial<Platform> | undefined;
}

/** The settings, checked and complete. */
export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  operatorKey: string;
  requestTimeoutMs: number;
  retryBudgetMs: number;
  onRetry: (error: Error, inMs: number) => void;
  platform: Platform;
  /** Headers of every request. */
  headers: Headers;
  log: Logger;
  pace: Pace<Refusal['error']>;
}

/** The gateway accepts 6,000 requests per key and minute, so the limit is rarely reached. */
const usualPace = { burst: 10, intervalMs: 0 };

/**
 * Completes the options from the environment and checks them.
 * @throws UsageError naming the unusable option and the remedy.
 */
export function readSettings(options: OperatorOptions): Settings {
  const { fetch: own } = options;
  const platform: Platform = {
    ...standardPlatform,
    ...options.platform,
    ...(own && { fetch: (url: string, init: RequestInit) => own(url, init) }),
  };
  return {
    baseUrl: checkedBaseUrl(options.baseUrl ?? platform.variable('FRAMEGATE_OPERATOR_URL')),
    operatorKey: checkedKey(options.operatorKey ?? platform.variable('FRAMEGATE_OPERATOR_KEY')),
    requestTimeoutMs: checkedMs('requestTimeoutMs', options.requestTimeoutMs ?? 30_000),
    retryBudgetMs: checkedMs('retryBudgetMs', options.retryBudgetMs ?? 120_000),
    onRetry: options.onRetry ?? (() => undefined),
    platform,
    headers: checkedHeaders(options.headers),
    log: logOf(options),
    pace: createPace(usualPace),
  };
}

function checkedHeaders(given: OperatorOptions['headers']): Headers {
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

function logOf({ logger = noLogger, logLevel = 'info' }: OperatorOptions): Logger {
  if (isLogLevel(logLevel)) return atLevel(logger, logLevel);
  throw new UsageError('invalid_option', 'logLevel must be debug, info, warn, error or off.');
}

/** Checks a waiting time. @throws UsageError for other values. */
export function checkedMs(name: string, ms: number): number {
  if (ms >= 0) return ms;
  throw new UsageError('invalid_option', `${name} must be a number of milliseconds from 0.`);
}

function checkedKey(key: string): string {
  if (/^fg_operator_[0-9A-Za-z]{38}$/.test(key)) return key;
  const why =
    key === ''
      ? 'There is no operator key: pass operatorKey, or set FRAMEGATE_OPERATOR_KEY.'
      : 'This is not an operator key: one is fg_operator_ and 38 letters and digits.';
  throw new UsageError(
    'invalid_operator_key_form',
    `${why} "npm run admin -- operator-key create" creates one.`,
  );
}

function checkedBaseUrl(text: string): string {
  const refused = (why: string) =>
    new UsageError(
      'invalid_base_url',
      `${why} The base URL is such as http://127.0.0.1:8081/operator/v1.`,
    );
  if (text === '')
    throw refused('There is no base URL: pass baseUrl, or set FRAMEGATE_OPERATOR_URL.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\/[^/]/i.test(text) || /[\s?#]/.test(text) || url.username !== '') {
    throw refused('The base URL is not an address.');
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    throw refused('The base URL must begin with https://: anyone between could read the key.');
  }
  const base = text.replace(/\/+$/, '');
  if (!base.endsWith('/operator/v1')) throw refused('The base URL must end in /operator/v1.');
  return base;
}
