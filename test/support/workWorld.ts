import type { Log } from '@framegate/contract';
import type { Route, Routes } from '@framegate/provider-routes';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { generationDocument } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { buildGeneration } from '../../gateway/src/application/generations/create/admitCreate.ts';
import type { GenerationJob } from '../../gateway/src/application/ports/jobs.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import type { Attempt } from '../../gateway/src/domain/generations/attempt.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { appOn } from './appOn.ts';

/** Log lines, and results counted as lost. */
export interface Heard {
  lines: { level: keyof Log; fields: Record<string, unknown>; message: string }[];
  lost: { provider: string; reason: string }[];
}

/** A worker's use cases on their own database, with scripted routes: one process of several. */
export interface WorkProcess {
  mongo: MongoConnection;
  deps: App;
  heard: Heard;
}

let processes = 0;

/** Opens one process; `more` replaces some of its dependencies. */
export async function openWorkProcess(uri: string, more: Partial<App> = {}): Promise<WorkProcess> {
  const heard: Heard = { lines: [], lost: [] };
  const hear = (level: keyof Log) => (fields: object, message: string) => {
    heard.lines.push({ level, fields: { ...fields }, message });
  };
  const log = {
    debug: hear('debug'),
    info: hear('info'),
    warn: hear('warn'),
    error: hear('error'),
  };
  const mongo = await connectMongo({
    self: { id: `work-${(processes += 1)}`, role: 'worker' },
    uri,
    log,
  });
  await mongo.migrate();
  const deps = appOn(mongo, {
    log,
    recordLost: (provider, reason) => void heard.lost.push({ provider, reason }),
    refusedKeptMs: 0,
    outputsKeptMs: 3600_000,
    favouritesKeptMs: 3600_000,
    promptsKeptMs: 3600_000,
    ...more,
  });
  return { mongo, deps, heard };
}

/** Refunds results that differ grossly, and expects no size. */
export const anyDelivery: Route['delivery'] = {
  sizesOf: () => ({ sizes: [], ratioFrom: 'order' }),
  rule: 'refund',
};

/** A route that is never called, unless a test replaces its parts. */
export function routeTo(provider: string, more: Partial<Route> = {}): Route {
  return {
    provider,
    model: 'up',
    maxConcurrent: 20,
    safeToRepeat: false,
    weight: null,
    covers: () => true,
    delivery: anyDelivery,
    budget: null,
    findCost: async () => null,
    submit: async ({ generationId }) => ({
      kind: 'accepted',
      operation: { id: `task of ${generationId}` },
    }),
    poll: async () => ({ kind: 'pending' }),
    ...more,
  };
}

/** Routes by model. */
export function routesOf(models: Record<string, Route[]>): Routes {
  const all = Object.values(models).flat();
  return {
    providers: () =>
      [...new Map(all.map((route) => [route.provider, route])).values()].map((route) => ({
        ...route,
        models: [route.model],
      })),
    forModel: (model) => models[model] ?? [],
    rankingOf: () => 'listed',
    groups: () => [],
    find: (provider, model) =>
      all.find((route) => route.provider === provider && route.model === model) ?? null,
  };
}

/** An account with plenty of credits and `running` running generations. */
export function accountOf(id: string, nowMs: number, running = 0): Account {
  const lot = { id: `lot_${id}`, kind: 'purchased' as const, amount: 1_000, remaining: 1_000 };
  return {
    id,
    version: 1,
    email: `${id}@example.com`,
    passwordHash: null,
    isVerified: true,
    externalId: null,
    group: null,
    staffRole: null,
    status: 'active',
    limits: {},
    keys: [],
    ledgerEntries: 0,
    ledgerHash: null,
    lots: [{ ...lot, expiresAt: null, createdAt: nowMs }],
    inFlightCredits: 30 * running,
    running,
    waiting: 0,
    createBucket: null,
    createdAt: nowMs,
  } as unknown as Account;
}

/** A generation of 30 credits with a place in its account. */
export function workGeneration(
  id: string,
  accountId: string,
  nowMs: number,
  more: Partial<Generation> = {},
): Generation {
  const built = buildGeneration(
    {
      id,
      accountId,
      channel: 'api',
      keyId: null,
      requestId: `req ${id}`,
      callerAddress: '127.0.0.1',
    },
    {
      type: 'video',
      model: 'm',
      mode: 'text-to-video',
      prompt: 'a boat',
      inputs: [],
      parameters: {} as never,
      consentReference: null,
      costCredits: 30,
      catalogueVersion: 1,
      priceGroup: null,
    } as never,
    {
      canRun: true,
      movements: [{ lotId: `lot_${accountId}`, kind: 'purchased', amount: -30, expiresAt: null }],
    },
    nowMs,
    6 * 3600_000,
  );
  return { ...built, ...more };
}

/** An attempt that the provider has accepted. */
export const acceptedBy = (provider: string, at: number): Attempt => ({
  number: 1,
  provider,
  model: 'up',
  startedAt: at,
  outcome: 'accepted',
  operation: { id: 'task' },
  note: null,
  cost: null,
});

/** The job of a generation. */
export const jobOf = (generationId: string, accountId = 'acct_1'): GenerationJob => ({
  generationId,
  accountId,
});

/** Stores generations unchanged. */
export async function store(
  { collections }: MongoConnection,
  generations: readonly Generation[],
): Promise<void> {
  await collections.generations.insertMany(generations.map(generationDocument));
}

/** The first `count` numbers from 0. */
export const range = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index);
