import { baseUrlProblem, keyProblem } from './connection.ts';
import { UsageError } from './errors.ts';
import { atLevel, isLogLevel, type Logger, type LogLevel } from './log.ts';

/** Options that all clients take. */
export interface CommonOptions {
  /** Time limit of one request, and of a download without a byte, in ms. Default 30 s. */
  requestTimeoutMs?: number | undefined;
  /** How long a call is retried while the service does not respond or asks to wait, in ms. Default 2 min. */
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
  /** Receives log messages, for example `console`; never the key or the URLs of files. */
  logger?: Logger | undefined;
  /** Lowest level to log. Default `info`. */
  logLevel?: LogLevel | undefined;
}

/** The common options, checked and complete. */
export interface CommonSettings {
  requestTimeoutMs: number;
  retryBudgetMs: number;
  onRetry: (error: Error, inMs: number) => void;
  /** Headers of every request. */
  headers: Headers;
  log: Logger;
}

/** @throws UsageError naming the unusable option. */
export function commonSettings(options: CommonOptions, userAgent: string): CommonSettings {
  return {
    requestTimeoutMs: requireMs('requestTimeoutMs', options.requestTimeoutMs ?? 30_000),
    retryBudgetMs: requireMs('retryBudgetMs', options.retryBudgetMs ?? 120_000),
    onRetry: options.onRetry ?? (() => undefined),
    headers: requireHeaders(options.headers, userAgent),
    log: logOf(options),
  };
}

function requireHeaders(ownHeaders: CommonOptions['headers'], userAgent: string): Headers {
  try {
    const headers = new Headers(ownHeaders);
    if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
    return headers;
  } catch (cause) {
    throw new UsageError(
      'invalid_option',
      'headers must contain valid HTTP header names and values.',
      {
        cause,
      },
    );
  }
}

const silence = () => undefined;
const noLogger: Logger = { debug: silence, info: silence, warn: silence, error: silence };

function logOf({ logger = noLogger, logLevel = 'info' }: CommonOptions): Logger {
  if (isLogLevel(logLevel)) return atLevel(logger, logLevel);
  throw new UsageError('invalid_option', 'logLevel must be debug, info, warn, error or off.');
}

/** Checks a waiting time. @throws UsageError for other values. */
export function requireMs(name: string, ms: number): number {
  if (ms >= 0) return ms;
  throw new UsageError('invalid_option', `${name} must be a number of milliseconds, 0 or more.`);
}

/** Checks a caller's idempotency key. @throws UsageError for one that no header can hold. */
export function requireIdempotencyKey(key: string): string {
  if (/^[!-~]{1,255}$/.test(key)) return key;
  const message = 'idempotencyKey must be 1 to 255 visible ASCII characters without spaces.';
  throw new UsageError('idempotency_key_invalid', message);
}

/**
 * Checks a base URL.
 * `variable` is the environment variable that supplies it by default; `ending` is the required end, such as `/v1`.
 * @returns The URL without a trailing slash.
 * @throws UsageError with the remedy.
 */
export function requireBaseUrl(
  text: string,
  { variable, ending, example }: { variable: string; ending: string; example: string },
): string {
  const base = text.replace(/\/+$/, '');
  const problem =
    text === ''
      ? `The base URL is missing: pass baseUrl, or set ${variable}.`
      : baseUrlProblem(base, ending);
  if (problem === null) return base;
  throw new UsageError('invalid_base_url', `${problem} Use a base URL such as ${example}.`);
}

/**
 * Checks the form of a key. `option` and `variable` supply it; `remedy` is a sentence.
 * @throws UsageError with the remedy, never with the key.
 */
export function requireKey(
  key: string,
  form: {
    prefix: Parameters<typeof keyProblem>[1];
    option: string;
    variable: string;
    code: string;
    remedy: string;
  },
): string {
  const problem =
    key === ''
      ? `The key is missing: pass ${form.option}, or set ${form.variable}.`
      : keyProblem(key, form.prefix);
  if (problem === null) return key;
  throw new UsageError(form.code, `${problem} ${form.remedy}`);
}

interface RuntimeGlobals {
  process?: { env?: Record<string, string | undefined> };
}

/** An environment variable; empty if unset, or if the runtime has none. */
export function fromEnvironment(name: string): string {
  return (globalThis as RuntimeGlobals).process?.env?.[name] ?? '';
}
