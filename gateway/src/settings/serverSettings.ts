import { parseAddressRange, type TrustedProxies } from '../domain/network/addresses.ts';
import {
  choice,
  commaSeparated,
  flag,
  parsedSetting,
  type ParsedValues,
  parsePublicUrl,
  textSetting,
  wholeNumber,
} from './setting.ts';

const port = { min: 1, max: 65_535 };
const hostName = { allowed: 'an IP address or a host name', pattern: /^[A-Za-z0-9.:_-]{1,253}$/ };

/** Settings of the process: its role, its addresses and its URLs. */
export const serverSettings = {
  MODE: choice({
    of: ['development', 'production'],
    fallback: 'development',
    meaning: '`production` refuses to start with settings that are only suitable for trials.',
  }),
  ROLE: choice({
    of: ['all', 'api', 'worker'],
    fallback: 'all',
    meaning: 'Task of this process: answer requests, process generations, or both.',
  }),
  HOST: textSetting({
    fallback: '127.0.0.1',
    ...hostName,
    meaning: 'The address to listen on; `0.0.0.0` or `::` for all.',
  }),
  PORT: wholeNumber({ ...port, fallback: '8080', meaning: 'The port to listen on.' }),
  METRICS_PORT: wholeNumber({
    ...port,
    meaning: 'The port of the Prometheus metrics, on `METRICS_HOST`; none if unset.',
  }),
  METRICS_HOST: textSetting({
    fallback: '127.0.0.1',
    ...hostName,
    meaning:
      'The address that the metrics listen on. They name providers and need no password: never expose them publicly.',
  }),
  OPERATOR_PORT: wholeNumber({
    ...port,
    meaning:
      'The port of the operator API, on `OPERATOR_HOST`; none if unset. Processes that handle requests open it.',
  }),
  OPERATOR_HOST: textSetting({
    fallback: '127.0.0.1',
    ...hostName,
    meaning:
      'The address that the operator API listens on, for your own servers only: anyone who reaches it with a key can move credits.',
  }),
  BASE_URL: parsedSetting(
    {
      fallbackText: '`http://HOST:PORT/v1`',
      allowed: 'an http or https URL that ends in /v1',
      meaning: 'The public URL of the API, as customers enter it.',
    },
    parseBaseUrl,
  ),
  ACCOUNT_URL: parsedSetting(
    {
      fallbackText: '`BASE_URL` without `/v1`',
      allowed: 'an http or https URL',
      meaning: 'The public URL of the account site.',
    },
    parsePublicUrl,
  ),
  CONSOLE_URL: parsedSetting(
    {
      fallbackText: '`ACCOUNT_URL`',
      allowed: 'an http or https URL',
      meaning:
        'The public URL of the staff console (`/staff`). On a separate host, no page of the site can act on it.',
    },
    parsePublicUrl,
  ),
  MEDIA_URL: parsedSetting(
    {
      fallbackText: '`ACCOUNT_URL/media`',
      allowed: 'an http or https URL',
      meaning: 'The public URL of finished files; in production on a separate host.',
    },
    parsePublicUrl,
  ),
  MCP: choice({
    of: ['on', 'off'],
    fallback: 'on',
    meaning:
      'Whether the Model Context Protocol is available to agents, at `BASE_URL` with `/mcp` instead of `/v1`.',
  }),
  TRUST_PROXY: parsedSetting(
    {
      fallback: '0',
      allowed: 'a whole number from 0 to 10, or address,range/bits,…',
      meaning:
        'Your own reverse proxies: their addresses and CIDR ranges, such as `10.0.0.0/8,::1`, or their number. Only their `X-Forwarded-*` headers are trusted.',
    },
    parseProxies,
  ),
  HSTS_SUBDOMAINS: flag({
    fallback: 'true',
    meaning:
      'Tells browsers to use https for all subdomains of the public hosts as well. Set `false` if any of them only supports http.',
  }),
  LOG_LEVEL: choice({
    of: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
    meaning: 'The minimum level of logged messages.',
  }),
};

/** Parses the base URL of the API, whose path ends in /v1. */
function parseBaseUrl(text: string): string {
  const url = parsePublicUrl(text);
  if (!url.endsWith('/v1')) throw new Error('its path does not end in /v1');
  return url;
}

const maxHops = 10;

/**
 * Parses the operator's proxies: their number, or a comma-separated list of addresses and CIDR ranges.
 * @throws Error naming the first invalid item.
 */
function parseProxies(value: string): TrustedProxies {
  if (!/^\d+$/.test(value)) return { ranges: commaSeparated(value).map(parseAddressRange) };
  const hops = Number(value);
  if (hops > maxHops) throw new Error(`${value} is more than ${maxHops}`);
  return { hops };
}

/** The role of a process, its addresses and its URLs. */
export interface ServerConfig {
  mode: 'development' | 'production';
  role: 'all' | 'api' | 'worker';
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  http: {
    host: string;
    port: number;
    metricsPort: number | null;
    metricsHost: string;
    /** Null for no operator API. */
    operatorPort: number | null;
    operatorHost: string;
    /** Our own proxies in front. */
    trustedProxies: TrustedProxies;
    /** Whether browsers must also use https for subdomains. */
    hstsIncludesSubdomains: boolean;
    /** Whether the Model Context Protocol is served. */
    servesMcp: boolean;
  };
  /** Public URLs, without a trailing slash. */
  urls: { base: string; account: string; console: string; media: string };
}

/** Arranges the settings of the process. */
export function arrangeServer(values: ParsedValues<typeof serverSettings>): ServerConfig {
  const base = values.BASE_URL ?? `http://${hostInUrl(values.HOST)}:${values.PORT}/v1`;
  const account = values.ACCOUNT_URL ?? base.slice(0, -'/v1'.length);
  return {
    mode: values.MODE,
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
    http: {
      host: values.HOST,
      port: values.PORT,
      metricsPort: values.METRICS_PORT,
      metricsHost: values.METRICS_HOST,
      operatorPort: values.OPERATOR_PORT,
      operatorHost: values.OPERATOR_HOST,
      trustedProxies: values.TRUST_PROXY,
      hstsIncludesSubdomains: values.HSTS_SUBDOMAINS,
      servesMcp: values.MCP === 'on',
    },
    urls: {
      base,
      account,
      console: values.CONSOLE_URL ?? account,
      media: values.MEDIA_URL ?? `${account}/media`,
    },
  };
}

/** The host as a browser on this machine reaches it. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
