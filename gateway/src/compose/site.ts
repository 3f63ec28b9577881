import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '@framegate/contract';
import { sampleHost, samplePictures, samplePoster } from '../adapters/net/sampleHost.ts';
import { inputsKeptMs } from '../application/generations/end/tidyGenerations.ts';
import type { Config } from '../config.ts';
import { outputUrlMs } from '../domain/generations/mediaUrl.ts';
import type { SampleInput } from '../http/site/account/site.ts';
import type { ClientFile } from '../http/site/clients/clientPackages.ts';
import type { DocsFacts } from '../http/site/docs/facts.ts';
import { deadlineOf } from '../settings/timeSettings.ts';
import { readClientFiles } from './clientFiles.ts';
import type { CoreParts } from './core.ts';
import { version } from './version.ts';

/** The pictures that the studio offers as inputs; only in development, where their host answers. */
export function readSamples({ mode }: Config): SampleInput[] {
  if (mode !== 'development') return [];
  return samplePictures.map((name) => ({
    name,
    url: `https://${sampleHost}/${name}`,
    poster: readFileSync(samplePoster(name)),
  }));
}

/** The models that are sold to a group and have a route. */
export function routedModels({ offer, routes }: CoreParts, group: string | null): readonly Model[] {
  return offer.localOffer(group).models.filter(({ id }) => routes.forModel(id, group).length > 0);
}

/** The name of a model of any version; its id if unknown. */
export function modelNameOf({ allModels }: CoreParts, modelId: string): string {
  return allModels().find(({ id }) => id === modelId)?.displayName ?? modelId;
}

/** Facts about this gateway for its documentation; the same object until models or prices change. */
export function docsFacts(app: CoreParts): () => DocsFacts {
  const clients = readClientFiles(app.log);
  let facts = siteFacts(app, routedModels(app, null), clients);
  return () => {
    const models = routedModels(app, null);
    if (!isDeepStrictEqual(models, facts.models)) facts = siteFacts(app, models, clients);
    return facts;
  };
}

function siteFacts(
  app: CoreParts,
  models: readonly Model[],
  clients: readonly ClientFile[],
): DocsFacts {
  const { config } = app;
  const waiting = models.map(({ id }) => deadlineOf(config.waitingDeadline, id));
  return {
    brand: config.brand,
    version,
    clients,
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
    links: config.outsideLinks,
    mcpUrl: config.http.servesMcp ? config.urls.base.replace(/\/v1$/, '/mcp') : null,
  };
}
