import { operatorMessages } from '@framegate/contract';
import { buildOperatorOpenApi } from '@framegate/contract/operator';
import { createCatalogueStore } from '../adapters/mongo/catalogueStore.ts';
import {
  createAccountList,
  createOperatorKeyStore,
  createOperatorRequestStore,
} from '../adapters/mongo/operatorStores.ts';
import { createSignInLinkStore } from '../adapters/mongo/signInLinkStore.ts';
import { createAuditLog } from '../adapters/mongo/staffStores.ts';
import { createFindUsage } from '../adapters/mongo/usageReport.ts';
import type { GuessLimiter } from '../application/authenticate.ts';
import { createNoteRead } from '../application/operator/auditEntries.ts';
import { createFollowEvents } from '../application/operator/events.ts';
import { keepFeedPlace } from '../application/operator/keepFeedPlace.ts';
import type { OperatorDeps } from '../application/operator/operatorDeps.ts';
import { createAuthenticateOperator } from '../application/operator/operatorKeys.ts';
import { shareReports } from '../application/operator/sharedReports.ts';
import type { TrustedProxies } from '../domain/addresses.ts';
import { firstSecret } from '../domain/apiKey.ts';
import { createOperatorApp } from '../http/app.ts';
import { startServer, type RunningServer } from '../http/server.ts';
import type { App } from './app.ts';

/** Starts the operator API on its own listener; null without OPERATOR_PORT. */
export async function composeOperator(
  app: App,
  given: Pick<OperatorDeps, 'create' | 'site' | 'passwords'>,
  guesses: GuessLimiter,
  stopping: AbortSignal,
): Promise<RunningServer | null> {
  const { config, log, mongo, secrets, random } = app;
  const { operatorPort: port, operatorHost: host, trustedProxies } = config.http;
  if (port === null) return null;
  const { clock, database } = mongo;
  const operator = operatorDepsOf(app, given);
  const http = createOperatorApp({
    noteRead: createNoteRead(operator),
    operator: { ...operator, followEvents: createFollowEvents(operator) },
    stopping,
    authenticateOperator: createAuthenticateOperator({
      operatorKeys: createOperatorKeyStore(mongo.models),
      clock,
      keyPeppers: secrets.keyPeppers,
      guesses,
    }),
    operatorOpenApi: buildOperatorOpenApi(),
    allowances: given.create.allowances,
    places: app.places,
    messages: operatorMessages,
    mediaPath: '/media',
    log,
    random,
    clock,
    isDatabaseTrouble: database.isTrouble,
    recordRequest: app.measured.recordRequest,
    traces: app.work.traces,
    trustedProxies: trustedOf(trustedProxies),
  });
  const settings = { host: 'OPERATOR_HOST', port: 'OPERATOR_PORT' };
  const stopKeeping = await keepFeedPlace({ feed: mongo.feed, media: app.work.media, log });
  const server = await startServer({ app: http, host, port, settings, log, random }).catch(
    (error: unknown) => {
      stopKeeping();
      throw error;
    },
  );
  log.info({ url: server.url }, 'operator API listening');
  return {
    ...server,
    async stop(times) {
      stopKeeping();
      await server.stop(times);
    },
  };
}

function operatorDepsOf(
  app: App,
  given: Pick<OperatorDeps, 'create' | 'site' | 'passwords'>,
): OperatorDeps {
  const { config, mongo, random, secrets, work } = app;
  return {
    database: mongo.database,
    clock: mongo.clock,
    random,
    defaultLimits: config.limits,
    requests: createOperatorRequestStore(mongo.models),
    accountList: createAccountList(mongo.collections),
    creditsPerDay: config.operatorCreditsPerDay,
    audit: createAuditLog(mongo.models),
    feed: mongo.feed,
    markTakenDown: mongo.markTakenDown,
    signInLinks: createSignInLinkStore(mongo.models, mongo.collections, mongo.runTransaction),
    findUsage: shareReports(createFindUsage(mongo.collections), mongo.clock),
    catalogues: createCatalogueStore(mongo.collections),
    creditValue: config.creditValue,
    pepper: firstSecret(secrets.keyPeppers),
    autoApprovedHosts: app.autoApprovedHosts,
    everyModel: () => app.offer.everyModel(),
    ...given,
    work,
  };
}

/**
 * Counted proxies are in front of the public listener only. If they were trusted here, a caller bypassing them could
 * put any address into a header, and keys are bound to addresses.
 */
function trustedOf(proxies: TrustedProxies): TrustedProxies {
  return 'hops' in proxies ? { hops: 0 } : proxies;
}
