import type { Router } from '@koa/router';
import Koa from 'koa';
import type { Log, Model } from '@framegate/contract';
import type { App } from '../application/app.ts';
import { modelStatusOf } from '../application/generations/modelStatus.ts';
import type { Meters } from '../application/meters.ts';
import { type Clock, noTraces, type Random, type Traces } from '../application/ports/system.ts';
import type { Brand } from '../domain/brand/brand.ts';
import type { TrustedProxies } from '../domain/network/addresses.ts';
import { Refusal } from '../domain/refusal.ts';
import { needsNoSlot, routesOf } from './atWork.ts';
import { isDisconnect } from './body.ts';
import {
  type HttpApp,
  type HttpContext,
  type HttpMiddleware,
  type RequestState,
  sendJson,
} from './context.ts';
import { type Mcp, mcpRoutes } from './mcp/mcpRoutes.ts';
import {
  boundPreferences,
  holdBackRefusals,
  identifyRequest,
  refuseUnmatched,
  requireValidRequest,
  sendHsts,
  type SeparateHosts,
  separateHosts,
  trustProxies,
} from './middleware/everyRequest.ts';
import { logAccess, traceRequests } from './middleware/logAccess.ts';
import { type OperatorApi, operatorRoutes } from './operator/operatorRoutes.ts';
import { showWrongPath } from './pages/errorPages.ts';
import { respondToErrors, sendError } from './respondToErrors.ts';
import { accountRoutes } from './site/account/accountRoutes.ts';
import type { AccountSite } from './site/account/site.ts';
import type { DocsFacts } from './site/docs/facts.ts';
import { siteRoutes } from './site/siteRoutes.ts';
import type { ShownStatus } from './site/statusPage.ts';
import { staffRoutes } from './staff/staffRoutes.ts';
import { strictRouter } from './strictRouter.ts';
import { type V1Deps, v1Routes } from './v1/routes.ts';

/** Dependencies of the steps that every application shares. */
export interface BaseDeps {
  /** Path prefix of media on this server, such as `/media` or none, for the access log. */
  mediaPath: string;
  /** Whether the public URL uses https. */
  isHttps?: boolean;
  /** Whether HSTS includes subdomains. */
  hstsIncludesSubdomains?: boolean;
  log: Log;
  random: Pick<Random, 'newId'>;
  clock: Pick<Clock, 'now'>;
  /** True for an error of an unreachable or slow database: 503. */
  isDatabaseTrouble: (error: unknown) => boolean;
  /** Whether refusals keep the operator API's contract instead of the public one. */
  isOperatorApi?: boolean;
  /** Records requests in the metrics. */
  recordRequest?: Meters['recordRequest'];
  traces?: Traces;
  /** Proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: TrustedProxies;
}

/** Dependencies of the public application. */
export interface AppDeps extends V1Deps, BaseDeps {
  /** Serves the Model Context Protocol at `/mcp` when present. */
  mcp?: Mcp | undefined;
  /** Serves finished files; null when another server does. */
  media: HttpMiddleware | null;
  brand: Brand;
  /** Facts about this gateway for the documentation; the same object until a fact changes. */
  docs: () => DocsFacts;
  /** The account site; null serves only the public pages. */
  account: AccountSite | null;
  /** The staff console, if enabled. */
  staff?: App;
  /** Present when files are served on a separate host. */
  hosts?: SeparateHosts | undefined;
  /** True while the database is reachable and no stop was requested. */
  isReady: () => boolean;
  /** Release version, for health responses. */
  version: string;
}

/** Builds the application. Middleware runs in the order below. */
export function createApp(deps: AppDeps): HttpApp {
  const app = createBaseApp(deps);
  if (deps.hosts) app.use(separateHosts(deps.hosts));
  app.use(routesOf(v1Routes(deps)));
  if (deps.mcp) app.use(routesOf(mcpRoutes(deps, deps.mcp)));
  if (deps.media) app.use(deps.media);
  app.use(routesOf(healthRoutes(deps.isReady, deps.version)));
  const languages = deps.account?.deps.brand.languages ?? ['en'];
  const { account } = deps;
  const readStatus = account && (() => readStatuses(account, deps.docs().models));
  app.use(routesOf(siteRoutes({ ...deps, languages, readStatus })));
  if (deps.account) app.use(accountRoutes(app, deps.account));
  if (deps.staff) app.use(staffRoutes(deps.staff));
  app.use(showWrongPath(deps.basePath, deps.brand, languages));
  app.use(refuseUnmatched);
  return app;
}

/** The status of each public model. */
function readStatuses({ deps }: AccountSite, models: readonly Model[]): ShownStatus[] {
  return models.map((model) => ({
    model: { id: model.id, displayName: model.displayName },
    status: modelStatusOf(deps, model, null),
    usualSeconds: Math.round(deps.durations.usual(model.id).median),
  }));
}

/** The operator API's application, for a listener of its own. */
export function createOperatorApp(deps: BaseDeps & OperatorApi): HttpApp {
  const app = createBaseApp(deps);
  app.use(routesOf(operatorRoutes(deps)));
  app.use(refuseUnmatched);
  return app;
}

/** The steps of every request before its route, in the order below. */
function createBaseApp(deps: BaseDeps): HttpApp {
  // `trustProxies` removes untrusted X-Forwarded-* headers first.
  const app: HttpApp = new Koa({ proxy: true });
  respondToLateErrors(app, deps);
  app.use(trustProxies(deps.trustedProxies));
  app.use(boundPreferences());
  app.use(identifyRequest(deps.random));
  app.use(traceRequests(deps.traces ?? noTraces));
  app.use(holdBackRefusals(deps.clock));
  app.use(logAccess(deps.log, deps.clock, deps.mediaPath, deps.recordRequest));
  if (deps.isHttps === true) app.use(sendHsts(deps.hstsIncludesSubdomains === true));
  app.use(respondToErrors(deps));
  app.use(requireValidRequest());
  return app;
}

/**
 * Answers errors outside the middleware, such as a stream that fails while it is sent. Koa's default handler would
 * remove all headers and answer in plain text.
 */
function respondToLateErrors(app: HttpApp, deps: BaseDeps): void {
  app.context.onerror = function onerror(this: HttpContext, error: unknown) {
    // Koa also calls this after a successful response.
    if (error === null || error === undefined) return;
    sendError(this, error, deps);
    if (this.writable && !this.headerSent) this.res.end(this.body);
  };
  app.on('error', (error: unknown) => {
    if (!isDisconnect(error)) deps.log.error({ error }, 'failed to send a response');
  });
}

/**
 * `/healthz` reports that the process is alive; restart it on failure. `/readyz` fails while the database is
 * unreachable and after a stop request, so that load balancers send no more requests.
 */
export function healthRoutes(isReady: () => boolean, version: string): Router<RequestState> {
  const router = strictRouter<RequestState>();
  router.get('/healthz', needsNoSlot, (ctx) => {
    sendJson(ctx, 200, JSON.stringify({ status: 'ok', version }));
  });
  router.get('/readyz', needsNoSlot, (ctx) => {
    if (!isReady()) throw new Refusal('service_unavailable');
    sendJson(ctx, 200, JSON.stringify({ status: 'ready', version }));
  });
  return router;
}
