import { dayMs } from '@framegate/contract';
import { createSlots } from '@framegate/limits';
import type { MongoConnection } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import {
  createBudgetStore,
  createSlotStore,
} from '../../gateway/src/adapters/mongo/providers/providerStores.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { createAllowances } from '../../gateway/src/application/allowances.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { createEqualRequests } from '../../gateway/src/application/generations/create/runIdempotently.ts';
import { createInputTurns } from '../../gateway/src/application/generations/deliver/inputTurns.ts';
import { createPollTurns } from '../../gateway/src/application/generations/run/pollTurns.ts';
import { createProviderCapacity } from '../../gateway/src/application/generations/run/providerCapacity.ts';
import { createReportRemovedKey } from '../../gateway/src/application/generations/run/removedKeys.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { noTraces } from '../../gateway/src/application/ports/system.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { noMeters } from '../../gateway/src/compose/telemetry.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { builtInOffer } from './builtInOffer.ts';
import { closedBreakers, deliveriesAsOrdered } from './closedBreakers.ts';
import { collectLog } from './mongod.ts';

const address = 'http://127.0.0.1:8080';

/**
 * The parts of a process for creating and making generations, on a database. Files are never stored, and there are no
 * routes. `more` replaces parts, and adds those that only other use cases have.
 */
export function appOn(
  mongo: Pick<MongoConnection, 'database' | 'clock' | 'collections'>,
  more: Partial<App> = {},
): App {
  const { clock = mongo.clock, log = collectLog().log, random = createRandom(clock) } = more;
  const routes = more.routes ?? {
    providers: () => [],
    forModel: () => [],
    rankingOf: () => 'listed',
    groups: () => [],
    find: () => null,
  };
  const providerSlots = createSlotStore(mongo.collections, clock);
  const slots = createSlots(workKinds);
  const parts: Partial<App> = {
    ...noMeters,
    database: mongo.database,
    clock,
    random,
    log,
    traces: noTraces,
    reachFaultPoint: () => undefined,
    timings: defaultTimings,
    slots,
    offer: builtInOffer,
    durations: { usual: () => ({ p90: 60, median: 20, plan: () => new Uint8Array([16]) }) },
    routes,
    speeds: { find: () => null },
    // These have separate tests.
    breakers: closedBreakers,
    deliveries: deliveriesAsOrdered,
    budgets: createBudgetStore(mongo.collections),
    providerCapacity: createProviderCapacity(providerSlots, clock, log),
    pollTurns: createPollTurns({ clock, log, random, routes }, providerSlots),
    reportRemovedKey: createReportRemovedKey({ log, clock }),
    runningDeadlineMs: () => 3600_000,
    waitingDeadlineMs: () => 6 * 3600_000,
    media: { delete: async () => undefined } as never,
    posters: { types: [], make: async () => 'impossible' },
    inputTurns: createInputTurns({ clock, random, slots }),
    takeInputs: async () => ({ ok: true, stored: [] }),
    storeOutput: async () => ({ mediaType: 'video/mp4', bytes: 1, sha256: 'x', measures: {} }),
    inputUrl: () => address,
    publicUrls: {
      baseUrl: `${address}/v1`,
      mediaUrl: `${address}/media`,
      mediaSigningKeys: [{ version: '1', secret: 's'.repeat(32) }],
    },
    autoApprovedHosts: [],
    upkeep: createUpkeepStore(mongo.collections, clock),
    outputsKeptMs: 7 * dayMs,
    favouritesKeptMs: 7 * dayMs,
    refusedKeptMs: dayMs,
    promptsKeptMs: 7 * dayMs,
    defaultLimits,
    allowances: createAllowances({ clock }),
    equalRequests: createEqualRequests(),
    safety: { findBrokenRule: () => null },
    idempotencyKeptMs: 7 * dayMs,
    auditKeptMs: dayMs,
  };
  return { ...parts, ...more } as App;
}
