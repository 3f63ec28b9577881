import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { RouterContext } from '@koa/router';
import type { Random, Clock } from '../../application/ports/system.ts';
import { createProxyTrust, countedGroups, type TrustedProxies } from '../../domain/addresses.ts';
import { Refusal } from '../../domain/refusal.ts';
import { callerAddress, type HttpMiddleware, type RequestState } from '../context.ts';

/**
 * Gives the request its id and the answer the headers that every answer has: the id, no storing by
 * caches, no guessing of types. There is never a CORS header: a key must not be used in a browser.
 */
export function identifyRequest(random: Pick<Random, 'newId'>): HttpMiddleware {
  return (ctx, next) => {
    const requestId = random.newId('req');
    ctx.state = { requestId, traceId: null, caller: null, refused: null, json: undefined };
    ctx.res.setHeader('X-Request-Id', requestId);
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    return next();
  };
}

/** A path with an optional query, in visible ASCII; a fragment is never sent (RFC 9112 section 3.2). */
const originForm = /^\/[\x21\x22\x24-\x7e]*$/;
/** Scheme and authority of the form that proxies are sent (RFC 9112 section 3.2.2). */
const authority = /^https?:\/\/[^/?#]+(?=\/)/i;

/** The versions whose framing this server speaks; Node's parser also lets 0.9 and 2.0 through. */
const versions = ['1.0', '1.1'];

/** Whether a request names as many hosts as it may: one, or in HTTP/1.0 none (RFC 9112 section 3.2). */
function hasLawfulHost({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const hosts = headersDistinct['host']?.length ?? 0;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Refuses requests that Node's parser lets through: an address that the URL parser behind `ctx.path` would
 * repair or throw at, another version of HTTP, and a number of Host headers that is not lawful. Of two hosts
 * a proxy in front may have judged the one and this server would take the other.
 * @throws Refusal `invalid_request`.
 */
export function requireTarget(): HttpMiddleware {
  return (ctx, next) => {
    const { req } = ctx;
    // `OPTIONS *` asks about the server as a whole, which has no address of its own here.
    const target = (req.url ?? '').replace(authority, '').replace(/^\*$/, '/');
    const lawful = originForm.test(target);
    req.url = lawful ? target : '/';
    if (!lawful || !versions.includes(req.httpVersion) || !hasLawfulHost(req)) {
      throw new Refusal('invalid_request', {
        message: 'The request line or the Host header is not valid HTTP.',
      });
    }
    return next();
  };
}

/**
 * Gives the request its caller's address, and drops the `X-Forwarded-*` headers of connections that do
 * not come from a proxy of ours, so that no later step believes them.
 */
export function trustProxies(proxies: TrustedProxies): HttpMiddleware {
  const trust = createProxyTrust(proxies);
  return (ctx, next) => {
    const connection = ctx.req.socket.remoteAddress ?? '';
    if (!trust.believes(connection)) {
      const headers = Object.entries(ctx.req.headers);
      ctx.req.headers = Object.fromEntries(
        headers.filter(([name]) => !name.startsWith('x-forwarded-')),
      );
    }
    ctx.request.ip = trust.callerOf(connection, ctx.get('x-forwarded-for'));
    return next();
  };
}

/** How long browsers keep to https, in seconds: a year. */
const maxAgeSeconds = 31_536_000;

/** Tells browsers to come by https only (RFC 6797), where the public address is one of https. */
export function requireTls(withSubdomains: boolean): HttpMiddleware {
  const policy = `max-age=${maxAgeSeconds}${withSubdomains ? '; includeSubDomains' : ''}`;
  return (ctx, next) => {
    ctx.res.setHeader('Strict-Transport-Security', policy);
    return next();
  };
}

/** The hosts of a gateway whose files have a host of their own; each with its port where it is unusual. */
export interface SeparateHosts {
  media: string;
  /** Those of the API and the site. */
  site: readonly string[];
  /** Path of the files on their host, such as `/` or `/media`. */
  mediaPath: string;
}

/**
 * Keeps files and pages on hosts of their own: a file that a browser would run has nothing there that
 * it could act upon, and the site serves no file of a stranger's making. A host that is neither, such as
 * the one by which a proxy or a probe calls us, is let through.
 * @throws Refusal `not_found`.
 */
export function separateHosts({ media, site, mediaPath }: SeparateHosts): HttpMiddleware {
  const base = mediaPath.replace(/\/$/, '');
  return (ctx, next) => {
    // Both what a proxy says it was asked for and what we were: callers can write X-Forwarded-Host.
    const named = [ctx.host, ctx.req.headers.host ?? ''].map((host) => host.toLowerCase());
    const isFile = ['/outputs/', '/inputs/'].some((part) => ctx.path.startsWith(base + part));
    const isMisplaced = isFile ? named.some((host) => site.includes(host)) : named.includes(media);
    if (isMisplaced) throw new Refusal('not_found');
    return next();
  };
}

const order = ['GET', 'HEAD', 'POST'];

/**
 * The end of the pipeline: 405 with `Allow` for a path that takes other methods (OPTIONS is not
 * answered, there being no CORS), else 404. Both without asking for a key: the paths are public, and
 * a caller with a wrong base address should read that, not that the key is wrong.
 */
export function refuseUnmatched(ctx: RouterContext<RequestState>): never {
  const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new Refusal('not_found');
  const allowed = order.filter((method) => methods.has(method));
  throw new Refusal('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
}

/** Requests of one address group that are refused in a second before further refusals are held back. */
export const maxRefusedPerSecond = 200;
/** How long a refusal is held back, in ms: a flood on n connections comes to 2n requests a second. */
export const heldBackMs = 500;
/** Refusals held back at a time; a flood on more connections than these is for the proxy in front. */
const maxHeldBack = 1_000;
const maxAddresses = 10_000;

/**
 * Holds back answers of status 4xx to an address that gets very many of them, so that a flood of
 * requests that are refused anyway does not take the process from others.
 */
export function holdBackRefusals(clock: Pick<Clock, 'now'>): HttpMiddleware {
  const refused = new Map<string, number>();
  let second = 0;
  let heldBack = 0;
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400 || ctx.status > 499) return;
    const now = Math.floor(clock.now() / 1000);
    if (now !== second || refused.size >= maxAddresses) refused.clear();
    second = now;
    const hasTooMany = countedGroups(callerAddress(ctx)).some(({ group, times }) => {
      const count = (refused.get(group) ?? 0) + 1;
      refused.set(group, count);
      return count > maxRefusedPerSecond * times;
    });
    if (!hasTooMany || heldBack >= maxHeldBack) return;
    heldBack += 1;
    await setTimeout(heldBackMs);
    heldBack -= 1;
  };
}
