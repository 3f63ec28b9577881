import { argon2Passwords } from './adapters/system/passwords.ts';
import { completeSecrets } from './adapters/system/secretsFile.ts';
import { createRandom } from './adapters/system/random.ts';
import { traceRoutes } from './adapters/traces/traceRoutes.ts';
import { createOffer, everyModel } from './application/catalogue/offer.ts';
import { createDurationStats } from './application/generations/durationStats.ts';
import { tellGoneKeys } from './application/generations/goneKey.ts';
import { createRouteSpeeds } from './application/generations/routeSpeeds.ts';
import { forgetDeliveries, withoutWithheld } from './application/generations/withheldRoutes.ts';
import type { Log, Passwords, Random, ReachFaultPoint } from './application/ports/system.ts';
import type { Allowances } from './application/allowances.ts';
import { usualTimings, type Timings } from './application/generations/deps.ts';
import { retry, whileStarting } from './adapters/mongo/errors.ts';
import { createFindKeysInUse } from './adapters/mongo/keysInUse.ts';
import { createBreakerStore, createDeliveryStore } from './adapters/mongo/providerStores.ts';
import { createSecretStore } from './adapters/mongo/secretStore.ts';
import { createUpkeepStore } from './adapters/mongo/upkeepStore.ts';
import { watchLanes } from './application/upkeep/laneWatch.ts';
import { watchSecrets } from './application/upkeep/secretStatus.ts';
import { assembleApp } from './compose/app.ts';
import { composeCatalogues, publishConfigured } from './compose/catalogues.ts';
import { composeFigures, composeMetrics, composeTraces } from './compose/telemetry.ts';
import { composeMedia } from './compose/media.ts';
import { checkCertificate } from './compose/provenance.ts';
import { watchReadiness } from './compose/readiness.ts';
import { createReload } from './compose/reload.ts';
import { composeRoutes } from './compose/routes.ts';
import type { RoutesReload } from './application/ports/providers.ts';
import { version } from './compose/version.ts';
import { composeWorker } from './compose/worker.ts';
import type { Config } from './config.ts';
import { clearTextWarnings } from './config/clearTextWarnings.ts';
import { firstSecret, type VersionedSecret } from './domain/apiKey.ts';
import { type OpenDatabase, openDatabase, requireSchema } from './compose/openDatabase.ts';

/** A running gateway. */
export interface Gateway {
  /** Address of the API process; null for a worker. */
  url: string | null;
  /** Address of its operator API; null without OPERATOR_PORT. */
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
 * Composes and starts a gateway from its settings. All construction happens here and in `compose/`.
 * @param options.reachFaultPoint Called at each fault point; only tests pass it, and other `timings`, `allowances` and
 *   `passwords`.
 * @throws Errors with a message for people: settings, database, port.
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
  const tracing = await composeTraces(config, options.log);
  const { traces, log } = tracing;
  const secrets = completeSecrets(config.secrets, config.dataDir);
  const pepper = firstSecret(secrets.keyPeppers);
  const database = await openDatabase(config, options);
  const closing: (() => Promise<unknown>)[] = [() => tracing.close(), () => database.close()];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) {
      await step().catch((error: unknown) => {
        log.error({ error }, 'stopping failed');
      });
    }
  };
  try {
    await retry(() => requireSchema(config, database, options), whileStarting);
    const random = createRandom(database.clock);
    const readiness = watchReadiness(() => database.processes.answers());
    closing.push(async () => {
      readiness.end();
    });
    checkCertificate(config, { clock: database.clock, log });
    const media = await composeMedia(config, { secrets, clock: database.clock, log, traces });
    closing.push(async () => {
      media.close();
    });
    void media.check();
    const catalogues = await composeCatalogues(database, {
      log,
      noticeMs: (options.timings ?? usualTimings).catalogueNoticeMs,
    });
    closing.push(async () => {
      catalogues.stop();
    });
    const routes = await composeRoutes(config, {
      log,
      random,
      clock: database.clock,
      catalogue: () => everyModel([...catalogues.held(), config.catalogue.catalogue]),
    });
    closing.push(() => routes.close());
    catalogues.onNew(() => {
      routes.addModels().catch((error: unknown) => {
        log.error({ error }, 'failed to open the routes of new models');
      });
    });
    await retry(
      () => publishConfigured(catalogues, config.catalogue, { routes, log }),
      whileStarting,
    );
    const offer = createOffer({ ...database, catalogues, ...routes });
    // Not earlier: a failed start logs only its reason.
    const { role } = config;
    log.info({ version, node: process.version, role }, 'Framegate starting');
    for (const warning of clearTextWarnings(config)) log.warn({}, warning);
    const upkeep = createUpkeepStore(database.collections, database.clock);
    const laneWatch = watchLanes({ upkeep, clock: database.clock, log });
    closing.push(async () => {
      laneWatch.stop();
    });
    const store = createSecretStore(database.collections, database.clock);
    const stopNoting = watchSecrets({ store, clock: database.clock, secrets, log });
    closing.push(async () => {
      stopNoting();
    });
    const figures = composeFigures(database);
    const measured = await composeMetrics(config, {
      database,
      routes: routes.routes,
      log,
      figures,
      findLanes: laneWatch.states,
      ready: readiness.ready,
    });
    closing.push(() => measured.stop());
    const durations = createDurationStats({
      ...database,
      log,
      models: () => routes.narrowed(catalogues.known(database.clock.now()).models),
    });
    await retry(() => durations.refresh(), whileStarting);
    closing.push(async () => {
      durations.stop();
    });
    const speeds = createRouteSpeeds({
      ...database,
      log,
      routes: routes.routes,
      models: () => offer.everyModel().map(({ id }) => id),
    });
    await retry(() => speeds.refresh(), whileStarting);
    closing.push(async () => {
      speeds.stop();
    });
    const breakers = createBreakerStore(database, log);
    await retry(() => breakers.refresh(), whileStarting);
    closing.push(async () => {
      breakers.stop();
    });
    const deliveries = createDeliveryStore(database.collections, database.clock, log);
    await retry(() => deliveries.refresh(), whileStarting);
    closing.push(async () => {
      deliveries.stop();
    });
    const app = assembleApp({
      config,
      log,
      secrets,
      mongo: measured.database,
      random,
      media,
      routes: withoutWithheld(traceRoutes(measured.routes, traces), deliveries),
      speeds,
      breakers,
      deliveries,
      upkeep,
      measured,
      offer,
      durations,
      figures,
      findLanes: laneWatch.states,
      reachFaultPoint: options.reachFaultPoint ?? (() => undefined),
      timings: options.timings ?? usualTimings,
      passwords: options.passwords ?? argon2Passwords,
      traces,
    });
    /** Both stop at once; neither waits for the other. */
    const stops: (() => Promise<void>)[] = [];
    const graceMs = config.stopGraceSeconds * 1000;
    closing.push(async () => {
      readiness.end();
      const results = await Promise.allSettled(stops.map((stop) => stop()));
      const failed = results.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
    });
    if (config.role !== 'api') {
      await media.removeLeftovers();
      const worker = await composeWorker(app);
      stops.push(() => worker.stop(graceMs));
    }
    let urls: Pick<Gateway, 'url' | 'operatorUrl'> = { url: null, operatorUrl: null };
    if (config.role !== 'worker') {
      const { buildOpenApi } = await import('@framegate/contract/openapi');
      const { composeApi } = await import('./compose/api.ts');
      const openApi = buildOpenApi({
        name: config.brand.name,
        baseUrl: config.urls.base,
        models: offer.known(null).models,
        siteUrl: config.urls.account,
        supportUrl: config.links.support,
      });
      const api = await composeApi(app, openApi, readiness.ready, options.allowances);
      stops.push(() => api.stop({ pauseMs: config.stopPauseSeconds * 1000, graceMs }));
      urls = { url: api.url, operatorUrl: api.operatorUrl };
    }
    readiness.begin();
    const reload = createReload(config, { routes, catalogues, log });
    const findKeysInUse = createFindKeysInUse(database.collections);
    const reloadRoutes = async () => {
      const result = await reload();
      if (result.result !== 'refused') await forgetDeliveries(deliveries, log);
      return tellGoneKeys(result, { routes: routes.routes, findKeysInUse, log });
    };
    database.processes.onReload(reloadRoutes);
    const { promise: unfit, resolve } = Promise.withResolvers<Error>();
    database.processes.onUnfit(resolve);
    return { ...urls, database, random, pepper, unfit, reloadRoutes, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}
