import type { Attempt, LostReason } from '../../domain/attempt.ts';
import { proof } from '../../domain/doubt.ts';
import type { Generation } from '../../domain/generation.ts';
import type { Limits } from '../../domain/account.ts';
import type { SafetyPolicy } from '../../domain/safetyPolicy.ts';
import type { Allowances } from '../allowances.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { Database } from '../ports/database.ts';
import type { KeyedLimiter } from '@framegate/limits';
import type { MediaStore, StoreOutput, TakeInputs } from '@framegate/media';
import type { Routes } from '@framegate/provider-routes';
import type { Posters } from '../ports/media.ts';
import type { BudgetStore } from '../ports/providers.ts';
import type { Clock, Log, Random, ReachFaultPoint, Traces } from '../ports/system.ts';
import type { BreakerStore, DeliveryStore, DurationStats, UpkeepStore } from '../ports/upkeep.ts';
import type { ExplainGoneKey } from './goneKey.ts';
import type { InputTurns } from './inputTurns.ts';
import type { LookTurns } from './lookTurns.ts';
import type { Addresses } from './presentGeneration.ts';
import type { ProviderRoom } from './providerRoom.ts';
import type { RouteSpeeds } from './routeSpeeds.ts';

/** Dependencies of the worker's use cases, and thereby of the console's. */
export interface WorkDeps {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  routes: Routes;
  speeds: RouteSpeeds;
  breakers: BreakerStore;
  /** Delivery records of routes. */
  deliveries: DeliveryStore;
  providerRoom: ProviderRoom;
  lookTurns: LookTurns;
  explainGoneKey: ExplainGoneKey;
  budgets: BudgetStore;
  /** Counts a finished provider result that was not delivered. */
  countLost(provider: string, reason: LostReason): void;
  /** Counts the cost of one attempt of an ended generation. */
  countCost(attempt: Attempt): void;
  /** Counts the differences between an ended generation's result and its order. */
  countDifferences(attempt: Attempt): void;
  media: MediaStore;
  inputTurns: InputTurns;
  upkeep: UpkeepStore;
  takeInputs: TakeInputs;
  storeOutput: StoreOutput;
  posters: Posters;
  /** A short-lived URL of ours for a stored input. */
  inputUrl(generationId: string, index: number, extension: string): string;
  defaultLimits: Limits;
  /** Maximum running time of a generation, in ms. */
  runningDeadlineMs(generation: Pick<Generation, 'type' | 'model'>): number;
  /** Retention of finished files, in ms. */
  outputsKeptMs: number;
  /** Retention of results that were not delivered, in ms; 0 keeps none. */
  refusedKeptMs: number;
  /** Retention of prompts after the end, in ms. */
  promptsKeptMs: number;
  reachFaultPoint: ReachFaultPoint;
  traces: Traces;
  timings: Timings;
}

/** Timings of the work, in ms. Only crash tests shorten them. */
export interface Timings {
  /** Length of a worker's exclusive lease, which is renewed while it works. */
  leaseMs: number;
  /**
   * Time after the deadline during which a result that the provider finished may still be fetched and stored; then any
   * process that claims the generation fails it.
   */
  deadlineGraceMs: number;
  /** Minimum time over which a fault of a finished result must be seen before it ends the generation. */
  proofMs: number;
  /** Work that has been due this long without a process holding it counts as forgotten. */
  neglectedAfterMs: number;
  /** How long the job of a dead process stays locked. */
  lockMs: number;
  /** Interval for waking stalled work; the other lanes of upkeep run at multiples of it. */
  reconcileEveryMs: number;
  /** Interval for supervising the recurring jobs themselves. */
  superviseEveryMs: number;
  /** Minimum notice of a new version of the catalogue to all processes. */
  catalogueNoticeMs: number;
  /** Timeout for removing one file. */
  removalMs: number;
}

/** With these, a generation of a killed process moves again within a minute: lease, neglect and one reconciliation. */
export const usualTimings: Timings = {
  leaseMs: 30_000,
  deadlineGraceMs: 120_000,
  proofMs: proof.overMs,
  neglectedAfterMs: 10_000,
  lockMs: 30_000,
  reconcileEveryMs: 10_000,
  superviseEveryMs: 10_000,
  catalogueNoticeMs: 20_000,
  removalMs: 15_000,
};

/** Dependencies of the use cases that answer the API. */
export interface CreateDeps {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  reachFaultPoint: ReachFaultPoint;
  /** Models on sale, with their prices. */
  offer: Offer;
  routes: Routes;
  breakers: BreakerStore;
  durations: DurationStats;
  addresses: Addresses;
  traces: Traces;
  /** Runs requests of one idempotency scope one at a time. */
  equalRequests: KeyedLimiter;
  allowances: Allowances;
  /** The operator's rules, which no request can change. */
  safety: SafetyPolicy;
  defaultLimits: Limits;
  /** Host rules approved for all accounts. */
  autoApprovedHosts: readonly string[];
  /** Retention of an Idempotency-Key and its first answer, in ms. */
  idempotencyKeptMs: number;
  /** Retention of audit records of real-person mode, in ms. */
  auditKeptMs: number;
  /** The model's waiting deadline, in ms. */
  waitingDeadlineMs(modelId: string): number;
}
