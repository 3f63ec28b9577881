import type { IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import { pause, setWithin } from '@framegate/limits';
import type { Clock, Random } from '../../application/ports/system.ts';
import { requireRightClock } from '../../application/requireRightClock.ts';
import { mediaPurposes } from '../../domain/generations/mediaUrl.ts';
import {
  type CountedGroup,
  countedGroups,
  createProxyTrust,
  type TrustedProxies,
} from '../../domain/network/addresses.ts';
import { takeToken, type TokenBucket } from '../../domain/network/rateLimit.ts';
import { Refusal } from '../../domain/refusal.ts';
import { contentPolicy } from '../contentPolicy.ts';
import { callerAddress, type HttpMiddleware, type RequestState } from '../context.ts';

/** The policy of a response that sets none of its own, such as JSON: a browser loads, runs and frames nothing. */
const barePolicy = contentPolicy({});

/**
 * Assigns a request id and sets the headers of every response. CORS headers are never sent, because an API
 * key must not be used in a browser.
 */
export function identifyRequest(random: Pick<Random, 'newId'>): HttpMiddleware {
  return (ctx, next) => {
    const requestId = random.newId('req');
    ctx.state = {
      requestId,
      traceId: null,
      caller: null,
      operatorKey: null,
      refused: null,
      json: undefined,
    };
    ctx.res.setHeader('X-Request-Id', requestId);
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('Content-Security-Policy', barePolicy);
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    return next();
  };
}

/** A path with an optional query, in visible ASCII; a fragment is never sent (RFC 9112 section 3.2). */
const originForm = /^\/[\x21\x22\x24-\x7e]*$/;
/** An absolute-form target: its host, and from its path on the rest (RFC 9112 section 3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#@]+)(\/.*)$/i;

/** Accepted HTTP versions; Node's parser also accepts 0.9 and 2.0. */
const versions = ['1.0', '1.1'];

/** True for exactly one Host header, or none in HTTP/1.0 (RFC 9112 section 3.2). */
function hasLawfulHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values alternate. `headersDistinct` would make a list for every header of every request.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Refuses requests that Node's parser accepts but that are not valid: a target that the URL parser behind
 * `ctx.path` would repair or reject, an unsupported HTTP version, and missing or repeated Host headers. With
 * two Host headers, a proxy may check one and this server use the other. The host of an absolute-form target replaces
 * the Host header, because a proxy in front that follows the standard has checked that one.
 * @throws Refusal `invalid_request`.
 */
export function requireValidRequest(): HttpMiddleware {
  return (ctx, next) => {
    const { req } = ctx;
    const [, host, rest] = absoluteForm.exec(req.url ?? '') ?? [];
    // `OPTIONS *` has no path.
    const target = rest ?? (req.url === '*' ? '/' : (req.url ?? ''));
    const isValid = originForm.test(target);
    req.url = isValid ? target : '/';
    if (!isValid || !versions.includes(req.httpVersion) || !hasLawfulHost(req)) {
      throw new Refusal('invalid_request', {
        message: 'The request line or the Host header is not valid HTTP.',
      });
    }
    if (host !== undefined) req.headers.host = host;
    return next();
  };
}

/**
 * Determines the client's address. Removes `X-Forwarded-*` headers from connections that do not come from a
 * trusted proxy, so later middleware can rely on them.
 */
export function trustProxies(proxies: TrustedProxies): HttpMiddleware {
  const trust = createProxyTrust(proxies);
  return (ctx, next) => {
    const connection = ctx.req.socket.remoteAddress ?? '';
    // Most requests have no such headers and keep Node's object.
    if (!trust.believes(connection) && Object.keys(ctx.req.headers).some(isForwarded)) {
      const headers = Object.entries(ctx.req.headers);
      ctx.req.headers = Object.fromEntries(headers.filter(([name]) => !isForwarded(name)));
    }
    ctx.request.ip = trust.callerOf(connection, ctx.get('x-forwarded-for'));
    return next();
  };
}

const isForwarded = (name: string) => name.startsWith('x-forwarded-');

/**
 * Longest preferences that are read, in characters: browsers send at most 200, and 15,000 cost milliseconds to sort.
 */
const maxPreferences = 1_000;
const preferences = ['accept', 'accept-encoding', 'accept-language'] as const;

/** Omits longer lists of preferences: the request is answered as if it named none. */
export function boundPreferences(): HttpMiddleware {
  return (ctx, next) => {
    const { headers } = ctx.req;
    for (const name of preferences) {
      if ((headers[name]?.length ?? 0) > maxPreferences) headers[name] = undefined;
    }
    return next();
  };
}

/** Lifetime of the HSTS policy, in seconds: one year. */
const maxAgeSeconds = 31_536_000;

/** Sends Strict-Transport-Security (RFC 6797), for a public URL with https. */
export function sendHsts(includesSubdomains: boolean): HttpMiddleware {
  const policy = `max-age=${maxAgeSeconds}${includesSubdomains ? '; includeSubDomains' : ''}`;
  return (ctx, next) => {
    ctx.res.setHeader('Strict-Transport-Security', policy);
    return next();
  };
}

/**
 * Hosts of a gateway that serves files or the console on a separate host, each with its port unless it is the default.
 */
export interface SeparateHosts {
  /** Null if files are on the site's host. */
  media: string | null;
  /** Null if the console is on the site's host. */
  console: string | null;
  /** Hosts of the API and the site. */
  site: readonly string[];
  /** Path prefix of files on the media host, such as `/media` or none. */
  mediaPath: string;
}

/** Paths of the console, and of the styles and pictures that its pages load. */
const consolePath = /^\/staff(\/|$)/;
const sharedPath = /^\/site\/|^\/(healthz|readyz)$/;

/**
 * Serves files only on the media host, the console only on its own, and other pages only on the site's hosts, so that a
 * malicious file or page cannot act on another's origin. Requests to any other host, such as a health probe's, are
 * passed on.
 * @throws Refusal `not_found`.
 */
export function separateHosts(hosts: SeparateHosts): HttpMiddleware {
  const { media, site, mediaPath } = hosts;
  const folders = mediaPurposes.map((purpose) => `${mediaPath}/${purpose}/`);
  return (ctx, next) => {
    // Checks Host as well as X-Forwarded-Host, because callers can write the latter.
    const named = [ctx.host, ctx.req.headers.host ?? ''].map((host) => host.toLowerCase());
    const isFile = folders.some((folder) => ctx.path.startsWith(folder));
    const isOn = (host: string | null) => host !== null && named.includes(host);
    const isOnSite = named.some((host) => site.includes(host));
    const isConsole = consolePath.test(ctx.path);
    const isMisplaced =
      (media !== null && (isFile ? isOnSite || isOn(hosts.console) : isOn(media))) ||
      (hosts.console !== null &&
        (isConsole ? isOnSite : isOn(hosts.console) && !sharedPath.test(ctx.path)));
    if (isMisplaced) throw new Refusal('not_found');
    return next();
  };
}

/** Read-only methods. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses forms while the database's clock is wrong. @throws Refusal `clock_wrong`. */
export function requireTimeOfForms(clock: Pick<Clock, 'wrongClock'>) {
  return <T>(ctx: { method: string }, next: () => T): T => {
    if (!reading.has(ctx.method)) requireRightClock(clock);
    return next();
  };
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT'];

/**
 * Last middleware: 405 with `Allow` for a path that has other methods (OPTIONS included, without CORS),
 * otherwise 404. Neither needs a key, so a caller with a wrong base URL learns of that first.
 */
export function refuseUnmatched(ctx: RouterContext<RequestState>): never {
  const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new Refusal('not_found');
  const allowed = methodOrder.filter((method) => methods.has(method));
  throw new Refusal('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
}

/** Refusals per second for one address group before further ones are delayed. */
export const maxRefusedPerSecond = 50;
/** Delay of a refusal, in ms. Limits n flooding connections to 2n requests per second. */
export const holdBackMs = 500;
/** Interval between two delayed refusals, in ms, so that connections delayed together do not return together. */
const spacingMs = 5;
/** Refusals delayed at the same time. A proxy must stop floods on more connections. */
const maxHoldingBack = 1_000;
const maxAddresses = 10_000;

/**
 * Delays refusals (4xx, and 503 of a full queue) to an address that receives very many, so that a flood of refused
 * requests leaves the process to other callers.
 */
export function holdBackRefusals(clock: Pick<Clock, 'now'>): HttpMiddleware {
  const buckets = new Map<string, TokenBucket>();
  let heldBack = 0;

  /** Counts a refusal for an address group. @returns Whether the group is within its rate. */
  function takeRefusal({ group, times }: CountedGroup): boolean {
    const burst = maxRefusedPerSecond * times;
    const rate = { perMinute: burst * 60, burst };
    const { ok, bucket } = takeToken(buckets.get(group) ?? null, rate, clock.now());
    setWithin(buckets, group, bucket, maxAddresses);
    return ok;
  }

  return async (ctx, next) => {
    await next();
    if (ctx.status < 400 || (ctx.status > 499 && ctx.status !== 503)) return;
    const isWithin = countedGroups(callerAddress(ctx)).map(takeRefusal).every(Boolean);
    if (isWithin || heldBack >= maxHoldingBack) return;
    heldBack += 1;
    await pause(holdBackMs + heldBack * spacingMs);
    heldBack -= 1;
  };
}
