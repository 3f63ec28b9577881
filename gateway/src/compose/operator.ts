import { operatorOpenApiSteps } from '@framegate/contract/operator';
import type { App } from '../application/app.ts';
import { createNoteRead } from '../application/operator/auditEntries.ts';
import { keepFeedPoint } from '../application/operator/keepFeedPoint.ts';
import { createAuthenticateOperator } from '../application/operator/operatorKeys.ts';
import type { TrustedProxies } from '../domain/network/addresses.ts';
import { createOperatorApp } from '../http/app.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import type { ConfigAndDatabase } from './core.ts';

/** Starts the operator API on its own listener; null without OPERATOR_PORT. */
export async function composeOperator(
  app: App & ConfigAndDatabase & { stopSignal: AbortSignal },
): Promise<RunningServer | null> {
  const { config, log, random } = app;
  const { operatorPort: port, operatorHost: host, trustedProxies } = config.http;
  if (port === null) return null;
  const http = createOperatorApp({
    ...app,
    operator: app,
    noteRead: createNoteRead(app),
    authenticateOperator: createAuthenticateOperator(app),
    operatorOpenApi: operatorOpenApiSteps,
    isOperatorApi: true,
    mediaPath: '/media',
    isDatabaseTrouble: app.database.isTrouble,
    trustedProxies: trustedOf(trustedProxies),
  });
  const settings = { host: 'OPERATOR_HOST', port: 'OPERATOR_PORT' };
  const stopKeeping = await keepFeedPoint(app);
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

/**
 * Counted proxies are in front of the public listener only. If they were trusted here, a caller bypassing them could
 * put any address into a header, and keys are bound to addresses.
 */
function trustedOf(proxies: TrustedProxies): TrustedProxies {
  return 'hops' in proxies ? { hops: 0 } : proxies;
}
