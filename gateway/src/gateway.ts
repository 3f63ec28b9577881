import type { Log } from '@framegate/contract';
import { retry, whileStarting } from './adapters/mongo/errors.ts';
import { createUpkeepStore } from './adapters/mongo/generations/upkeepStore.ts';
import { createFindKeysInUse } from './adapters/mongo/providers/keysInUse.ts';
import {
  createBreakerStore,
  createDeliveryStore,
} from './adapters/mongo/providers/providerStores.ts';
import { createSecretStore } from './adapters/mongo/signIn/secretStore.ts';
import { createRandom } from './adapters/system/random.ts';
import { completeSecrets } from './adapters/system/secretsFile.ts';
import { traceRoutes } from './adapters/traces/traceRoutes.ts';
import type { Allowances } from './application/allowances.ts';
import { allModels, createOffer } from './application/catalogue/offer.ts';
import { createDurationStats } from './application/generations/durationStats.ts';
import { warnOfRemovedKeys } from './application/generations/run/removedKeys.ts';
import { createRouteSpeeds } from './application/generations/run/routeSpeeds.ts';
import { forgetDeliveries, withoutWithheld } from './application/generations/run/withheldRoutes.ts';
import { defaultTimings, type Timings } from './application/generations/timings.ts';
import type { RoutesReload } from './application/ports/providers.ts';
import type { Passwords, Random, ReachFaultPoint } from './application/ports/system.ts';
import { watchSecrets } from './application/upkeep/secretStatus.ts';
import { watchUpkeep } from './application/upkeep/upkeepWatch.ts';
import { composeCatalogues, publishConfigured } from './compose/catalogues.ts';
import { composeCore } from './compose/core.ts';
import { composeMedia } from './compose/media.ts';
import { type OpenDatabase, openDatabase, requireSchema } from './compose/openDatabase.ts';
import { checkCertificate } from './compose/provenance.ts';
import { watchReadiness } from './compose/readiness.ts';
import { composeReload } from './compose/reload.ts';
import { composeRoutes } from './compose/routes.ts';
import { createShutdown } from './compose/shutdown.ts';
import { composeFigures, composeMetrics, composeTraces } from './compose/telemetry.ts';
import { version } from './compose/version.ts';
import { composeWorker } from './compose/worker.ts';
import type { Config } from './config.ts';
import { firstSecret, type VersionedSecret } from './domain/accounts/apiKey.ts';
import { clearTextWarnings } from './settings/clearTextWarnings.ts';

/** A running gateway. */
export interface Gateway {
  /** URL of the API process; null for a worker. */
  url: string | null;
  /** URL of its operator API; null without OPERATOR_PORT. */
  operatorUrl: string | null;
  database: OpenDatabase;
  random: Random;
  /** Secret that hashes new keys. */
  pepper: VersionedSecret;
  /** Resolves when a newer release has migrated the database so that this code no longer works with it. */
  unfit: Promise<Error>;
  /** Re-reads ROUTES_FILE and MODELS_FILE; an invalid file changes nothing. Never throws. */
  reloadRoutes(): Promise<RoutesReload>;
  /**
   * Immediately reports not ready and accepts no more work; accepts no more requests after `STOP_PAUSE_SECONDS`; then
   * waits for current work and closes the database.
   */
  stop(): Promise<void>;
}

/**
 * Composes and starts a gateway from its settings. All construction happens here and in `compose/`, where each
 * `compose…` makes one part of a gateway from the parts before it: traces, database, media store, catalogues, routes,
 * metrics, then the core of every process, and from it the worker and the API, as the role requires.
 * @param options.reachFaultPoint Called at each fault point. Only tests pass it, or `timings`, `allowances` or
 *   `passwords`.
 * @throws Errors with a message for the operator: settings, database, port.
 */
export async function startGateway(
  config: Config,
  options: {
    log: Log;
    reachFaultPoint?: ReachFaultPoint;
    timings?: Timings;
    allowances?: Allowances;
    passwords?: Passwords;
    signal?: AbortSignal;
  },
): Promise<Gateway> {
  const tracing = await composeTraces({ config, log: options.log });
  const { traces, log } = tracing;
  const { reachFaultPoint = () => undefined, timings = defaultTimings } = options;
  const allSecrets = completeSecrets(config.secrets, config.dataDir);
  const mongo = await openDatabase(config, options);
  const { clock, collections } = mongo;
  const { stopAtEnd, refreshFirst, close } = createShutdown(log);
  stopAtEnd(tracing);
  stopAtEnd({ stop: () => mongo.close() });
  try {
    await retry(() => requireSchema(config, mongo, options), whileStarting);
    const random = createRandom(clock);
    const base = { config, mongo, clock, random, log, traces, allSecrets, timings };
    const readiness = watchReadiness(() => mongo.processes.isAnswering());
    stopAtEnd({ stop: readiness.end });
    checkCertificate(base);
    const media = stopAtEnd(await composeMedia(base));
    void media.check();
    const catalogues = stopAtEnd(await composeCatalogues(base));
    const routeSet = stopAtEnd(
      await composeRoutes({
        ...base,
        catalogue: () => allModels([...catalogues.localVersions(), config.catalogue.catalogue]),
      }),
    );
    catalogues.onNew(() => {
      routeSet.addModels().catch((error: unknown) => {
        log.error({ error }, 'failed to open the routes of new models');
      });
    });
    const withRoutes = { ...base, catalogues, routeSet };
    await retry(() => publishConfigured(config.catalogue, withRoutes), whileStarting);
    const offer = createOffer({ ...mongo, catalogues, ...routeSet });
    // Not earlier: a failed start logs only its reason.
    const { role } = config;
    log.info({ version, node: process.version, role }, 'Framegate starting');
    for (const warning of clearTextWarnings(config)) log.warn({}, warning);
    const upkeep = createUpkeepStore(collections, clock);
    const { findStates } = stopAtEnd(watchUpkeep({ upkeep, clock, log }));
    const secretStore = createSecretStore(collections, clock);
    stopAtEnd({ stop: watchSecrets({ store: secretStore, clock, secrets: allSecrets, log }) });
    const withFigures = { ...base, figures: composeFigures(base), findUpkeepStates: findStates };
    const { isReady } = readiness;
    const { routes } = routeSet;
    const withMetrics = stopAtEnd(await composeMetrics({ ...withFigures, routes, isReady }));
    const durations = await refreshFirst(
      createDurationStats({
        ...mongo,
        log,
        models: () => routeSet.narrowModels(catalogues.localVersion(clock.now()).models),
      }),
    );
    const speeds = await refreshFirst(
      createRouteSpeeds({
        ...mongo,
        log,
        routes,
        models: () => offer.allModels().map(({ id }) => id),
      }),
    );
    const breakers = await refreshFirst(createBreakerStore(mongo, log, timings.breakersRefreshMs));
    const deliveries = await refreshFirst(createDeliveryStore(collections, clock, log));
    const core = composeCore({
      ...withFigures,
      ...withMetrics.meters,
      mongo: withMetrics.mongo,
      files: media.files,
      routes: withoutWithheld(traceRoutes(withMetrics.routes, traces), deliveries),
      reachFaultPoint,
      offer,
      durations,
      speeds,
      breakers,
      deliveries,
      upkeep,
    });
    /** Worker and API stop in parallel. */
    const stops: (() => Promise<void>)[] = [];
    const graceMs = config.stopGraceSeconds * 1000;
    stopAtEnd({
      async stop() {
        readiness.end();
        const results = await Promise.allSettled(stops.map((stop) => stop()));
        const failed = results.find((each) => each.status === 'rejected');
        if (failed) throw failed.reason;
      },
    });
    if (role !== 'api') {
      await media.removeLeftovers();
      const worker = await composeWorker(core);
      stops.push(() => worker.stop(graceMs));
    }
    let urls: Pick<Gateway, 'url' | 'operatorUrl'> = { url: null, operatorUrl: null };
    if (role !== 'worker') {
      const { composeApi } = await import('./compose/api.ts');
      const { allowances, passwords } = options;
      const api = await composeApi({ ...core, isReady, allowances, passwords });
      stops.push(() => api.stop({ pauseMs: config.stopPauseSeconds * 1000, graceMs }));
      urls = { url: api.url, operatorUrl: api.operatorUrl };
    }
    readiness.begin();
    const reload = composeReload(withRoutes);
    const findKeysInUse = createFindKeysInUse(collections);
    const reloadRoutes = async () => {
      const result = await reload();
      if (result.result !== 'refused') await forgetDeliveries(deliveries, log);
      return warnOfRemovedKeys(result, { routes, findKeysInUse, log });
    };
    mongo.processes.onReload(reloadRoutes);
    const { promise: unfit, resolve } = Promise.withResolvers<Error>();
    mongo.processes.onUnfit(resolve);
    const pepper = firstSecret(allSecrets.keyPeppers);
    return { ...urls, database: mongo, random, pepper, unfit, reloadRoutes, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}
