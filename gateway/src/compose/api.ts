import { createAllowances } from '../application/allowances.ts';
import { createAuthenticate, createGuessLimiter } from '../application/authenticate.ts';
import {
  createGeneration,
  type CreateCommand,
} from '../application/generations/createGeneration.ts';
import type { CreateDeps } from '../application/generations/deps.ts';
import {
  estimateCost,
  getBalance,
  getGeneration,
  healthOf,
  listModels,
} from '../application/generations/reads.ts';
import { takeBack } from '../application/generations/takeBack.ts';
import { createEqualRequests } from '../application/generations/idempotently.ts';
import type { Config } from '../config.ts';
import { deadlineOf } from '../config/timeSettings.ts';
import { createKeyUseStore } from '../adapters/mongo/siteStores.ts';
import { createSafetyPolicy } from '../domain/safetyPolicy.ts';
import type { App } from './app.ts';
import { composeOperator } from './operator.ts';
import { composeSite, docsFacts, modelNameOf, routedModels } from './site.ts';
import { composeStaff } from './staff.ts';
import { version } from './version.ts';
import { createApp } from '../http/app.ts';
import { mediaMiddleware } from '../http/media/mediaMiddleware.ts';
import { createPieces } from '../http/media/sendLocalFile.ts';
import type { SeparateHosts } from '../http/middleware/everyRequest.ts';
import { startServer, type RunningServer } from '../http/server.ts';
import type { ApiDocument } from '../http/site/docs/apiDocument.ts';

/** Starts the API: use cases, the HTTP application and its server. */
export async function composeApi(
  app: App,
  openApi: ApiDocument,
  ready: () => boolean,
  allowances = createAllowances({ clock: app.mongo.clock }),
): Promise<RunningServer & { operatorUrl: string | null }> {
  const { config, log, mongo, secrets, random, addresses, work } = app;
  const { database, clock } = mongo;
  const deps: CreateDeps = {
    database,
    clock,
    random,
    log,
    reachFaultPoint: work.reachFaultPoint,
    traces: work.traces,
    offer: app.offer,
    routes: work.routes,
    breakers: work.breakers,
    durations: app.durations,
    addresses,
    equalRequests: createEqualRequests(),
    allowances,
    safety: createSafetyPolicy(config.safety),
    defaultLimits: config.limits,
    autoApprovedHosts: app.autoApprovedHosts,
    idempotencyKeptMs: config.idempotencyKeptSeconds * 1000,
    auditKeptMs: config.auditKeptSeconds * 1000,
    waitingDeadlineMs: (modelId) => deadlineOf(config.waitingDeadline, modelId) * 1000,
  };
  const create = (command: CreateCommand) => createGeneration(deps, command);
  const keyUses = createKeyUseStore(mongo.models, clock, log);
  const site = await composeSite(app, keyUses);
  const guesses = createGuessLimiter({ attempts: site.deps.attempts, clock, log });
  const stopping = new AbortController();
  const files = { store: work.media, pieces: createPieces(), log };
  const http = createApp({
    useCases: {
      authenticate: createAuthenticate({
        database,
        clock,
        keyPeppers: secrets.keyPeppers,
        defaultLimits: config.limits,
        noteUse: (keyId, address) => keyUses.note(keyId, address),
        guesses,
        factors: site.deps.customerFactors,
      }),
      createGeneration: create,
      getGeneration: async (caller, id) => {
        const record = await getGeneration(deps, caller, id);
        app.measured.recordPoll(record.status);
        return record;
      },
      listModels: (caller) => listModels(deps, caller),
      getBalance: (caller) => getBalance(deps, caller),
    },
    account: {
      deps: site.deps,
      createGeneration: create,
      takeBack: (generationId) => takeBack(work, generationId),
      modelsOf: ({ group }) => routedModels(app, group),
      modelName: (modelId) => modelNameOf(app, modelId),
      durations: app.durations,
      healthOf: (modelId) => healthOf(deps, modelId),
      addresses,
      samples: site.samples,
      takesFrames: config.posters.includes('video'),
      files,
      openApi,
      links: config.links,
      languages: config.brand.languages,
      allowances,
      places: app.places,
      log,
    },
    staff: composeStaff(app, site.deps),
    openApi,
    brand: config.brand,
    docs: docsFacts(app),
    mcp: config.http.mcp
      ? {
          origins: [config.urls.base, config.urls.account].map((url) => new URL(url).origin),
          estimateCost: (caller, body) => estimateCost(deps, caller, body),
          store: work.media,
          version,
          stopping: stopping.signal,
        }
      : undefined,
    basePath: '/v1',
    allowances,
    places: app.places,
    media: mediaMiddleware({
      ...files,
      path: new URL(config.urls.media).pathname,
      fileStem: config.brand.slug,
      delivery: config.mediaDelivery,
      places: app.places,
      signingKeys: secrets.mediaSigningKeys,
      now: () => clock.now(),
      isTakenDown: async (generationId) =>
        (await database.generations.view(generationId))?.outputsDeletedAt !== null,
    }),
    mediaPath: new URL(config.urls.media).pathname,
    hosts: separateHosts(config.urls),
    isHttps: config.urls.base.startsWith('https:'),
    hstsSubdomains: config.http.hstsSubdomains,
    log,
    random,
    clock,
    ready,
    version,
    isDatabaseTrouble: database.isTrouble,
    recordRequest: app.measured.recordRequest,
    traces: work.traces,
    trustedProxies: config.http.trustedProxies,
  });
  const operator = await composeOperator(
    app,
    { create: deps, site: site.deps, passwords: site.deps.passwords },
    guesses,
    stopping.signal,
  );
  const server = await startServer({ app: http, ...config.http, log, random }).catch(
    async (error: unknown) => {
      await operator?.stop({ pauseMs: 0, graceMs: 0 });
      throw error;
    },
  );
  return {
    url: server.url,
    operatorUrl: operator?.url ?? null,
    async stop(times) {
      stopping.abort();
      await Promise.all([server.stop(times), operator?.stop(times)]);
    },
  };
}

/** The separate hosts, if files or the console are served on their own. */
function separateHosts({
  media,
  base,
  account,
  console,
}: Config['urls']): SeparateHosts | undefined {
  const { host, pathname } = new URL(media);
  const site = [new URL(base).host, new URL(account).host];
  const own = (each: string) => (site.includes(each) ? null : each);
  const hosts = { media: own(host), console: own(new URL(console).host) };
  if (hosts.media === null && hosts.console === null) return undefined;
  return { ...hosts, site, mediaPath: pathname };
}
