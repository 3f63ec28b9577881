import Koa from 'koa';
import type { Clock, Log, Random } from '../application/ports/system.ts';
import { noTraces, type Traces } from '../application/ports/traces.ts';
import type { TrustedProxies } from '../domain/addresses.ts';
import type { HttpApp, HttpContext, HttpMiddleware } from './context.ts';
import { isClientGone } from './clientGone.ts';
import { healthRoutes } from './healthRoutes.ts';
import { answerError, answerErrors } from './middleware/answerErrors.ts';
import { holdBackRefusals } from './middleware/holdBackRefusals.ts';
import {
  type SeparateHosts,
  identifyRequest,
  requireTarget,
  requireTls,
  separateHosts,
  trustProxies,
} from './middleware/everyRequest.ts';
import { logAccess, type RecordRequest } from './middleware/logAccess.ts';
import { refuseUnmatched } from './middleware/refuseUnmatched.ts';
import { traceRequests } from './middleware/traceRequests.ts';
import { accountRoutes } from './site/account/accountRoutes.ts';
import { explainWrongAddress } from './pages/wrongAddress.ts';
import type { AccountSite } from './site/account/site.ts';
import type { DocsFacts } from './site/docs/facts.ts';
import { siteRoutes } from './site/siteRoutes.ts';
import type { StaffConsole } from './staff/staffContext.ts';
import { staffRoutes } from './staff/staffRoutes.ts';
import { mcpRoutes, type Mcp } from './mcp/mcpRoutes.ts';
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
  app.use(healthRoutes(deps.ready).routes());
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
