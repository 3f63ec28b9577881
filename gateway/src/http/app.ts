import { Router } from '@koa/router';
import Koa from 'koa';
import {
  noTraces,
  type Clock,
  type Log,
  type Random,
  type Traces,
} from '../application/ports/system.ts';
import type { TrustedProxies } from '../domain/addresses.ts';
import { Refusal } from '../domain/refusal.ts';
import {
  answerJson,
  type HttpApp,
  type HttpContext,
  type HttpMiddleware,
  type RequestState,
} from './context.ts';
import { answerError, answerErrors } from './answerErrors.ts';
import { mcpRoutes, type Mcp } from './mcp/mcpRoutes.ts';
import {
  identifyRequest,
  requireTarget,
  requireTls,
  separateHosts,
  trustProxies,
  holdBackRefusals,
  refuseUnmatched,
  type SeparateHosts,
} from './middleware/everyRequest.ts';
import { logAccess, traceRequests, type RecordRequest } from './middleware/logAccess.ts';
import { explainWrongAddress } from './pages/errorPages.ts';
import { isClientGone } from './body.ts';
import { accountRoutes } from './site/account/accountRoutes.ts';
import type { AccountSite } from './site/account/site.ts';
import type { DocsFacts } from './site/docs/facts.ts';
import { siteRoutes } from './site/siteRoutes.ts';
import type { StaffConsole } from './staff/layout.ts';
import { staffRoutes } from './staff/staffRoutes.ts';
import { v1Routes, type V1Deps } from './v1/routes.ts';

/** What the application is made of. */
export interface AppDeps extends V1Deps {
  /** The Model Context Protocol at `/mcp`; nothing is there without it. */
  mcp?: Mcp | undefined;
  /** Serves finished files; passes on what is not its own. */
  media: HttpMiddleware | null;
  /** What the documentation says of this gateway. */
  docs: DocsFacts;
  /** The account site; without it there are only the public pages. */
  account: AccountSite | null;
  /** The staff console; nothing is there without it. */
  staff?: StaffConsole;
  /** Path of the media address on this server, such as `/media`; named in the access log. */
  mediaPath: string;
  /** Where files have a host of their own; elsewhere one host serves everything. */
  hosts?: SeparateHosts | undefined;
  /** Whether the public address is one of https. */
  isHttps?: boolean;
  /** Whether browsers are to keep to https at subdomains, too. */
  hstsSubdomains?: boolean;
  log: Log;
  random: Pick<Random, 'newId'>;
  clock: Pick<Clock, 'now'>;
  /** Whether an error says that the database cannot be reached or does not answer in time: 503. */
  isDatabaseTrouble: (error: unknown) => boolean;
  /** Whether requests can be served: the database is reachable and no stop was requested. */
  ready: () => boolean;
  /** The version of this release, in the answers about health. */
  version: string;
  /** Counts each request for the metrics. */
  recordRequest?: RecordRequest;
  traces?: Traces;
  /** Proxies in front whose `X-Forwarded-*` headers are believed. */
  trustedProxies: TrustedProxies;
}

/** Builds the application. The order below is the order in which a request meets its steps. */
export function createApp(deps: AppDeps): HttpApp {
  // What is left of X-Forwarded-* behind the first step is to be believed.
  const app: HttpApp = new Koa({ proxy: true });
  answerLateErrors(app, deps);

  app.use(trustProxies(deps.trustedProxies));
  app.use(identifyRequest(deps.random));
  app.use(traceRequests(deps.traces ?? noTraces));
  app.use(holdBackRefusals(deps.clock));
  app.use(logAccess(deps.log, deps.clock, deps.mediaPath, deps.recordRequest));
  if (deps.isHttps === true) app.use(requireTls(deps.hstsSubdomains === true));
  app.use(answerErrors(deps));
  app.use(requireTarget());
  if (deps.hosts) app.use(separateHosts(deps.hosts));
  app.use(v1Routes(deps).routes());
  if (deps.mcp) app.use(mcpRoutes(deps, deps.mcp).routes());
  if (deps.media) app.use(deps.media);
  app.use(healthRoutes(deps.ready, deps.version).routes());
  app.use(siteRoutes(deps).routes());
  if (deps.account) app.use(accountRoutes(app, deps.account));
  if (deps.staff) app.use(staffRoutes(deps.staff));
  app.use(explainWrongAddress(deps.basePath));
  app.use(refuseUnmatched);
  return app;
}

/**
 * Errors past the pipeline, such as a stream that breaks while it is sent. Koa's own handler would
 * strip all headers and answer plain text.
 */
function answerLateErrors(app: HttpApp, deps: AppDeps): void {
  app.context.onerror = function onerror(this: HttpContext, error: unknown) {
    // Koa also calls this when an answer has ended well.
    if (error === null || error === undefined) return;
    answerError(this, error, deps);
    if (this.writable && !this.headerSent) this.res.end(this.body);
  };
  app.on('error', (error: unknown) => {
    if (!isClientGone(error)) deps.log.error({ err: error }, 'answering failed');
  });
}

/**
 * `/healthz`: the process is alive, restart it when this fails. `/readyz`: it can serve; false while
 * the database cannot be reached and from the moment a stop is requested, so that a load balancer
 * sends nothing more.
 */
export function healthRoutes(ready: () => boolean, version: string): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.get('/healthz', (ctx) => {
    answerJson(ctx, 200, JSON.stringify({ status: 'ok', version }));
  });
  router.get('/readyz', (ctx) => {
    if (!ready()) throw new Refusal('service_unavailable');
    answerJson(ctx, 200, JSON.stringify({ status: 'ready', version }));
  });
  return router;
}
