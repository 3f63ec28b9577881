import { hourMs, type Log } from '@framegate/contract';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { ledgerCodec } from '../../gateway/src/adapters/mongo/models/ledger.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import {
  type CreateCommand,
  createGeneration,
} from '../../gateway/src/application/generations/create/createGeneration.ts';
import {
  createPoller,
  type Poller,
} from '../../gateway/src/application/generations/run/pollDue.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import type { GenerationJob } from '../../gateway/src/application/ports/jobs.ts';
import type {
  FaultPoint,
  Random,
  ReachFaultPoint,
} from '../../gateway/src/application/ports/system.ts';
import {
  createUpkeep,
  type UpkeepTask,
  upkeepTasks,
} from '../../gateway/src/application/upkeep/upkeepTasks.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { entryHash } from '../../gateway/src/domain/credits/ledgerChain.ts';
import { appOn } from '../support/appOn.ts';
import { collectLog } from '../support/mongod.ts';
import type { ModelProvider } from './modelProvider.ts';

/** Slots of an account: how many of its generations run, and how many wait. */
export const slots = { running: 2, waiting: 2 };

/** The process has died: its further actions have no effect. */
export class Dead extends Error {}

/** One gateway process, reduced to its use cases. */
export interface ModelProcess {
  deps: App;
  poller: Poller;
  /** Creates a video over the use case. @returns The body of its 202. @throws Refusal */
  create(caller: CreateCommand['caller'], idempotencyKey: string, body: object): Promise<string>;
  /** A round of each upkeep task, and the jobs that are due then. */
  upkeep(): Promise<void>;
  /** Makes it die at its next arrival at this step. */
  dieAt(point: FaultPoint | null): void;
  isDead(): boolean;
}

/** A database with the real use cases on it, between a scripted provider and a moved clock. */
export async function openModelWorld(uri: string) {
  const { log } = collectLog();
  const mongo = await connectMongo({
    uri,
    log,
    self: { id: 'model', role: 'command' },
  });
  await mongo.migrate();
  const random = createRandom(mongo.clock);
  return {
    mongo,
    random,
    ledgerAudit: createLedgerAudit(mongo.client, mongo.collections),
    startProcess: (provider: ModelProvider) => startModelProcess(mongo, provider, random),
    addAccount: () => addAccount(mongo, random),
    async grant(accountId: string, kind: 'promotional' | 'purchased', amount: number, ms: number) {
      const expiresAt = ms === Infinity ? null : mongo.clock.now() + ms;
      const deps = { database: mongo.database, clock: mongo.clock, random };
      const grant = { accountId, kind, amountCredits: amount, expiresAt, reason: null };
      await grantCredits(deps, grant);
    },
    /** Lets time pass: all stored data becomes older by this much. */
    async pass(ms: number): Promise<void> {
      const { accounts, generations, jobs } = mongo.collections;
      for (const collection of [accounts, generations, jobs] as unknown as (typeof jobs)[]) {
        for (const { _id, ...document } of await collection.find({}).toArray()) {
          await collection.replaceOne({ _id }, olderBy(document, ms) as Record<string, unknown>);
        }
      }
      await ageLedger(mongo, ms);
    },
    async empty(): Promise<void> {
      const names = ['accounts', 'accountLookups', 'generations', 'ledger', 'references', 'jobs'];
      for (const name of names as ('ledger' | 'accounts')[]) {
        await mongo.collections[name].deleteMany({});
      }
    },
  };
}

/** A world of the model-based test. */
export type ModelWorld = Awaited<ReturnType<typeof openModelWorld>>;

/** Makes entries older, and chains them again, because their hashes include their times. */
async function ageLedger(
  { collections: { accounts, ledger } }: MongoConnection,
  ms: number,
): Promise<void> {
  const hashes = new Map<string, string>();
  for (const stored of await ledger.find({}, { sort: { _id: 1 } }).toArray()) {
    const { _id, ...older } = { ...(olderBy(stored, ms) as typeof stored) };
    const { accountId } = older;
    const hash = entryHash(
      hashes.get(accountId) ?? null,
      ledgerCodec.fromStored({ _id, ...older }),
    );
    hashes.set(accountId, hash);
    await ledger.replaceOne({ _id }, { ...older, hash });
  }
  for (const [_id, ledgerHash] of hashes) {
    await accounts.updateOne({ _id }, { $set: { ledgerHash } });
  }
}

function olderBy(value: unknown, ms: number): unknown {
  if (value instanceof Date) return value.getTime() <= 0 ? value : new Date(value.getTime() - ms);
  if (Array.isArray(value)) return value.map((each) => olderBy(each, ms));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, olderBy(each, ms)]));
}

/** Makes a process of these stores. @param reach Called at each step, before the process dies at one that was set. */
export function startModelProcess(
  mongo: Pick<MongoConnection, 'database' | 'clock' | 'collections'>,
  provider: ModelProvider,
  random: Random,
  reach: ReachFaultPoint = () => undefined,
  { log }: { log: Log } = collectLog(),
): ModelProcess {
  let dead = false;
  let fatal: FaultPoint | null = null;
  const alive = () => {
    if (dead) throw new Dead();
  };
  const { route } = provider;
  const mortalRoute = mortal(route, alive);
  const routes = {
    providers: () => [{ ...mortalRoute, models: [mortalRoute.model] }],
    forModel: () => [mortalRoute],
    rankingOf: () => 'listed' as const,
    groups: () => [],
    find: () => mortalRoute,
  };
  const deps = appOn(mongo, {
    database: mortal(mongo.database, alive),
    upkeep: mortal(createUpkeepStore(mongo.collections, mongo.clock), alive),
    routes,
    random,
    log,
    budgets: {} as never,
    auditKeptMs: hourMs,
    async reachFaultPoint(point) {
      await reach(point);
      alive();
      if (point !== fatal) return;
      dead = true;
      throw new Dead();
    },
  });
  const never = new AbortController().signal;
  const upkeep = createUpkeep(deps);
  return {
    deps,
    poller: createPoller(deps, never),
    async upkeep() {
      for (const task of Object.keys(upkeepTasks) as UpkeepTask[]) {
        await upkeep.runRound(task, { index: 0, count: 1 }, never);
      }
      const due = { nextRunAt: { $lte: new Date(mongo.clock.now()) } };
      for (const job of await mongo.collections.jobs.find(due).toArray()) {
        await runGeneration(deps, job['data'] as GenerationJob, never);
      }
    },
    async create(caller, idempotencyKey, body) {
      const response = await createGeneration(deps, {
        caller,
        path: '/v1/videos',
        idempotencyKey,
        body,
        // Unique, like the ids of requests: an unknown commit is recognised by it.
        requestId: random.newId('req'),
        callerAddress: '127.0.0.1',
      });
      return response.body;
    },
    dieAt: (point) => void (fatal = point),
    isDead: () => dead,
  };
}

/** Wraps an object so that its methods, and those of its parts, throw once the process is dead. */
function mortal<T extends object>(target: T, alive: () => void): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member === 'function') {
        return (...args: unknown[]): unknown => {
          alive();
          return Reflect.apply(member, object, args);
        };
      }
      if (member !== null && typeof member === 'object') return mortal(member, alive);
      return member;
    },
  });
}

/** Adds an account with a key and few slots. */
export async function addAccount(
  mongo: Pick<MongoConnection, 'database' | 'clock'>,
  random: Random,
) {
  const passwords = {
    hash: () => Promise.resolve('none'),
    verify: () => Promise.resolve(false),
    isKnown: () => Promise.resolve(false),
    words: [],
  };
  const { database, clock } = mongo;
  const pepper = { version: 'p', secret: 'p'.repeat(32) };
  const deps = { database, clock, random, passwords, pepper };
  const { id: accountId } = await createAccount(deps, {
    email: `${random.newId('req')}@example.com`,
    password: 'long enough',
    isVerified: true,
    staffRole: null,
  });
  const limits = { ...slots, createsPerMinute: 1_000_000, burst: 1_000_000 };
  await setAccountLimits({ database, defaultLimits }, { accountId, limits });
  const { keyId } = await createKey(deps, { accountId, name: 'k', hosts: [], models: [] });
  return { accountId, keyId };
}
