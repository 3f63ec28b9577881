import { inputsKeptMs } from '../application/generations/tidyGenerations.ts';
import { deadlineOf } from '../config/timeSettings.ts';
import { outputUrlMs } from '../domain/mediaUrl.ts';
import type { DocsFacts } from '../http/site/docs/facts.ts';
import type { App } from './app.ts';

/** What the documentation says of this gateway, from its settings. */
export function docsFacts(app: App): DocsFacts {
  const { config } = app;
  const models = app.models().filter(({ id }) => app.work.routes.of(id).length > 0);
  const waiting = models.map(({ id }) => deadlineOf(config.waitingDeadline, id));
  return {
    baseUrl: config.urls.base,
    siteUrl: config.urls.account,
    models,
    limits: config.limits,
    openHosts: app.autoApprovedHosts,
    idempotencyKeptSeconds: config.idempotencyKeptSeconds,
    outputsKeptSeconds: config.outputsKeptSeconds,
    inputsKeptSeconds: inputsKeptMs / 1000,
    outputUrlSeconds: outputUrlMs / 1000,
    waitingSeconds: { min: Math.min(...waiting), max: Math.max(...waiting) },
    signupCredits: config.signupCredits,
    signUp: config.signUp,
    hasAccounts: true,
    links: config.links,
    mcpUrl: config.http.mcp ? config.urls.base.replace(/\/v1$/, '/mcp') : null,
  };
}
