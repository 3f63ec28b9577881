import type { Log } from '@framegate/contract';
import { createAccountChanges } from '../../gateway/src/adapters/mongo/accounts/accountChanges.ts';
import { createAccountLookups } from '../../gateway/src/adapters/mongo/accounts/accountLookups.ts';
import { createAccountStore } from '../../gateway/src/adapters/mongo/accounts/accountStore.ts';
import { createErasedSearchStore } from '../../gateway/src/adapters/mongo/accounts/erasedSearch.ts';
import { createErasureStore } from '../../gateway/src/adapters/mongo/accounts/erasureStore.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import {
  createLedgerStore,
  createRealPersonAuditStore,
} from '../../gateway/src/adapters/mongo/credits/ledgerStore.ts';
import { isDatabaseTrouble } from '../../gateway/src/adapters/mongo/errors.ts';
import { createFeed } from '../../gateway/src/adapters/mongo/feed/feed.ts';
import { createGenerationStore } from '../../gateway/src/adapters/mongo/generations/generationStore.ts';
import { createGroupCommit } from '../../gateway/src/adapters/mongo/groupCommit.ts';
import { createJobStore } from '../../gateway/src/adapters/mongo/jobs/jobStore.ts';
import { createLeaseNames } from '../../gateway/src/adapters/mongo/jobs/releaseLeases.ts';
import { createMergedReads } from '../../gateway/src/adapters/mongo/mergedReads.ts';
import { createTaskStore } from '../../gateway/src/adapters/mongo/providers/taskStore.ts';
import { createRunTransaction } from '../../gateway/src/adapters/mongo/transactions.ts';
import type { Database } from '../../gateway/src/application/ports/database.ts';
import type { Clock, FaultPoint, Random } from '../../gateway/src/application/ports/system.ts';
import { formatId } from '../../gateway/src/domain/ids.ts';
import { mayWorkBy } from '../../gateway/src/domain/time/clockWitness.ts';
import type { ModelProvider } from '../../test/properties/modelProvider.ts';
import { startModelProcess } from '../../test/properties/modelWorld.ts';
import type { MemoryDatabase } from './memoryDatabase.ts';
import { connectInMemory, type Trouble } from './memoryDriver.ts';
import type { VirtualTime } from './virtualTime.ts';
import type { Witnesses } from './witnesses.ts';

/** The world that all processes of a schedule share. */
export interface SharedWorld {
  time: VirtualTime;
  witnesses: Witnesses;
  database: MemoryDatabase;
  provider: ModelProvider;
  fraction: () => number;
  /** Receives errors that a process only logs. */
  collectError: (error: unknown) => void;
}

function createSeededRandom(fraction: () => number, clock: Clock): Random {
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => fraction() * 256);
  return {
    newId: (prefix) => formatId(prefix, clock.now(), bytes(10)),
    seed: () => 1 + Math.floor(fraction() * 1_000_000),
    fraction,
    bytes,
  };
}

/** How long the server keeps the transactions of a dead process, in ms. */
const sessionsEndMs = 10_000;

const hang = () => new Promise<never>(() => undefined);

/** A log that passes on errors only. */
function listen(hear: (error: unknown) => void): Log {
  const say = (fields: object) => {
    if ('error' in fields) hear(fields.error);
  };
  return { debug: say, info: say, warn: say, error: say };
}

/** The methods of stores without credits that upkeep and erasure call. */
const noUploads = {
  expireAll: async () => 0,
  async *listExpired(): AsyncGenerator<string[]> {
    yield [];
  },
};
const noFormerKeys: Database['formerKeys'] = {
  keep: async () => undefined,
  findNames: async () => new Map(),
  hasHash: async () => false,
};

/**
 * A gateway process: the use cases and the stores as they are, on a connection to the database in memory. Once it is
 * dead, nothing that it waits for arrives.
 */
export function startSimulatedProcess(around: SharedWorld, id: string) {
  const { time, witnesses, database: memory, provider, fraction } = around;
  let isDead = false;
  let fatal: FaultPoint | null = null;
  let frozenUntil = 0;
  let freeze: { at: FaultPoint; ms: number } | null = null;
  const troubles: (Trouble | null)[] = [];
  const log = listen(around.collectError);
  const { collections, client, endSessions } = connectInMemory(memory, time, {
    isDead: () => isDead,
    frozenUntil: () => frozenUntil,
    trouble: () => troubles.shift() ?? null,
    fraction,
  });
  const clock = witnesses.join(() => isDead, log);
  const random = createSeededRandom(fraction, clock);
  const runTransaction = createRunTransaction(client, () => Promise.resolve());
  const reads = createMergedReads(collections);
  const lookups = createAccountLookups(collections);
  const accounts = createAccountStore(collections, reads, runTransaction, lookups);
  const isRecovering = () => false;
  const database: Database = {
    accounts,
    generations: createGenerationStore(
      collections,
      reads,
      clock,
      createLeaseNames(id),
      isRecovering,
    ),
    ledger: createLedgerStore(collections),
    jobs: createJobStore(collections, clock),
    realPersonAudit: createRealPersonAuditStore(collections),
    formerKeys: noFormerKeys,
    tasks: createTaskStore(collections, clock),
    uploads: noUploads as unknown as Database['uploads'],
    erasures: createErasureStore(collections, clock, runTransaction),
    erasedSearch: createErasedSearchStore(collections, clock),
    changeAccount: createAccountChanges({
      read: (accountId) => accounts.find(accountId),
      findNewest: (accountId) => accounts.findNewest(accountId),
      commit: createGroupCommit(collections, runTransaction),
    }),
    isTrouble: isDatabaseTrouble,
  };
  const die = () => {
    if (isDead) return;
    isDead = true;
    void time.pause(sessionsEndMs).then(endSessions);
  };
  const stop = (ms: number) => {
    frozenUntil = Math.max(frozenUntil, time.now() + ms);
    freeze = null;
  };
  const reach = (point: FaultPoint) => {
    if (point === freeze?.at) stop(freeze.ms);
    if (isDead || point === fatal) {
      die();
      return hang();
    }
    const frozenMs = frozenUntil - time.now();
    if (frozenMs <= 0) return undefined;
    return time.pause(frozenMs).then(() => (isDead ? hang() : undefined));
  };
  const stores = { database, clock, collections };
  const process = startModelProcess(stores, provider, random, reach, { log });
  return {
    ...process,
    mayWork: () => mayWorkBy(clock.wrongClock(), clock.skewMs()),
    database,
    clock,
    random,
    collections,
    ledgerAudit: createLedgerAudit(client, collections),
    feed: createFeed(collections, runTransaction, log),
    isDead: () => isDead,
    die,
    dieAt: (point: FaultPoint | null) => void (fatal = point),
    /** Stops it as SIGSTOP does, now or at a step, for a time in ms. */
    freeze(at: FaultPoint | null, ms: number) {
      if (at === null) stop(ms);
      else freeze = { at, ms };
    },
    /** Ends its faults. */
    heal() {
      troubles.length = 0;
      fatal = null;
      freeze = null;
      frozenUntil = 0;
    },
    /** Faults of its next statements. */
    meet: (next: readonly (Trouble | null)[]) => void troubles.push(...next),
  };
}

/** A gateway process of a simulated world. */
export type SimulatedProcess = ReturnType<typeof startSimulatedProcess>;
