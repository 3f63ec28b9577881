import { withoutEndSlashes } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import { createAuthenticate } from '../application/authenticate.ts';
import { createGeneration } from '../application/generations/create/createGeneration.ts';
import {
  estimateCost,
  getBalance,
  getGeneration,
  listModels,
} from '../application/generations/reads.ts';
import type { Config } from '../config.ts';
import { once } from '../domain/once.ts';
import { createApp } from '../http/app.ts';
import { mediaMiddleware } from '../http/media/mediaMiddleware.ts';
import { createPieces } from '../http/media/sendLocalFile.ts';
import type { SeparateHosts } from '../http/middleware/everyRequest.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import { composeApp, type ReplaceableParts } from './app.ts';
import type { CoreParts } from './core.ts';
import { composeOperator } from './operator.ts';
import { docsFacts, modelNameOf, readSamples, routedModels } from './site.ts';
import { version } from './version.ts';

/** Starts the use cases, the HTTP applications and their servers. */
export async function composeApi(
  parts: CoreParts & ReplaceableParts & { isReady: () => boolean },
): Promise<RunningServer & { operatorUrl: string | null }> {
  const app = await composeApp(parts);
  const { config, log, random, clock, database, media: store } = app;
  const { urls } = config;
  const openApi = once(() =>
    buildOpenApi({
      name: config.brand.name,
      baseUrl: urls.base,
      models: app.offer.localOffer(null).models,
      siteUrl: urls.account,
      supportUrl: config.outsideLinks.support,
    }),
  );
  const docs = docsFacts(app);
  const stopping = new AbortController();
  const files = { store, pieces: createPieces(), log };
  const mediaPath = pathOf(urls.media);
  const http = createApp({
    ...app,
    useCases: {
      authenticate: createAuthenticate(app),
      createGeneration: (command) => createGeneration(app, command),
      getGeneration: async (caller, id) => {
        const record = await getGeneration(app, caller, id);
        app.recordPoll(record.status);
        return record;
      },
      listModels: (caller) => listModels(app, caller),
      getBalance: (caller) => getBalance(app, caller),
    },
    account: {
      deps: app,
      modelsOf: ({ group }) => routedModels(app, group),
      modelName: (modelId) => modelNameOf(app, modelId),
      samples: readSamples(config),
      files,
      openApi,
      facts: docs,
    },
    staff: app,
    openApi,
    docs,
    mcp: config.http.servesMcp
      ? {
          origins: [urls.base, urls.account].map((url) => new URL(url).origin),
          estimateCost: (caller, body) => estimateCost(app, caller, body),
          store,
          version,
          stopSignal: stopping.signal,
        }
      : undefined,
    basePath: '/v1',
    media: mediaMiddleware({
      ...files,
      path: mediaPath,
      fileStem: config.brand.slug,
      delivery: config.mediaDelivery,
      slots: app.slots,
      signingKeys: app.publicUrls.mediaSigningKeys,
      now: () => clock.now(),
      isTakenDown: async (generationId) =>
        (await database.generations.findView(generationId))?.outputsRemovedAt !== null,
    }),
    mediaPath,
    hosts: separateHosts(urls),
    isHttps: urls.base.startsWith('https:'),
    hstsIncludesSubdomains: config.http.hstsIncludesSubdomains,
    isReady: parts.isReady,
    version,
    isDatabaseTrouble: database.isTrouble,
    trustedProxies: config.http.trustedProxies,
  });
  const operator = await composeOperator({ ...app, stopSignal: stopping.signal });
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

/** The path of a URL, empty for that of a host. */
const pathOf = (url: string): string => withoutEndSlashes(new URL(url).pathname);

/** The separate hosts, if files or the console are served on their own. */
function separateHosts({
  media,
  base,
  account,
  console,
}: Config['urls']): SeparateHosts | undefined {
  const { host } = new URL(media);
  const site = [new URL(base).host, new URL(account).host];
  const own = (each: string) => (site.includes(each) ? null : each);
  const hosts = { media: own(host), console: own(new URL(console).host) };
  if (hosts.media === null && hosts.console === null) return undefined;
  return { ...hosts, site, mediaPath: pathOf(media) };
}
