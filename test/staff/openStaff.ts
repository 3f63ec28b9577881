import { catalogue } from '@framegate/contract';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { createDurationStats } from '../../gateway/src/application/generations/durationStats.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { noTraces, type ReachFaultPoint } from '../../gateway/src/application/ports/system.ts';
import type { StaffActor } from '../../gateway/src/application/staff/runAction.ts';
import { composeApp } from '../../gateway/src/compose/app.ts';
import { composeCore } from '../../gateway/src/compose/core.ts';
import { composeMedia } from '../../gateway/src/compose/media.ts';
import type { OpenDatabase } from '../../gateway/src/compose/openDatabase.ts';
import { composeRoutes } from '../../gateway/src/compose/routes.ts';
import { composeFigures, noMeters } from '../../gateway/src/compose/telemetry.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { builtInOffer } from '../support/builtInOffer.ts';
import { closedBreakers, deliveriesAsOrdered } from '../support/closedBreakers.ts';
import type { TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { quickPasswords } from '../support/quickPasswords.ts';

/** The console's use cases as a separate process next to a gateway, on its database. */
export async function openStaff(
  mongo: OpenDatabase & Pick<TestGateway, 'random' | 'env'>,
  reachFaultPoint: ReachFaultPoint = () => undefined,
): Promise<{ staff: App; close(): Promise<void> }> {
  const { random, clock, collections } = mongo;
  const config = loadConfig(mongo.env);
  const { log } = collectLog();
  const allSecrets = completeSecrets(config.secrets, config.dataDir);
  const composed = await composeRoutes({
    config,
    log,
    random,
    clock,
    catalogue: () => catalogue,
  });
  const durations = createDurationStats({ ...mongo, log, models: () => catalogue });
  const { files } = await composeMedia({ config, allSecrets, clock, log });
  const core = composeCore({
    ...noMeters,
    config,
    log,
    allSecrets,
    files,
    mongo,
    random,
    durations,
    reachFaultPoint,
    routes: composed.routes,
    speeds: { find: () => null },
    breakers: closedBreakers,
    deliveries: deliveriesAsOrdered,
    upkeep: createUpkeepStore(collections, clock),
    offer: builtInOffer,
    // Short, so that the lease of a console that was killed expires soon.
    timings: { ...defaultTimings, leaseMs: 1_500 },
    traces: noTraces,
    figures: composeFigures({ mongo }),
    findUpkeepStates: async () => [],
  });
  return {
    staff: await composeApp({ ...core, passwords: quickPasswords }),
    async close() {
      durations.stop();
      await composed.stop();
    },
  };
}

/** A staff member for use cases that ask who acts. */
export const actor: StaffActor = {
  accountId: 'acct_01k00000000000000000000000',
  email: 'sam@framegate.example',
  role: 'support',
  requestId: 'req_01k00000000000000000000000',
  address: '127.0.0.1',
  prove: () => Promise.resolve(),
};
