import type { Model } from '@framegate/contract';
import type { Attempt, LostReason } from '../../domain/generation.ts';
import type { Limits } from '../../domain/account.ts';
import type { SafetyPolicy } from '../../domain/safetyPolicy.ts';
import type { Allowances } from '../allowances.ts';
import type { Database } from '../ports/database.ts';
import type { KeyedLimiter } from '../ports/concurrency.ts';
import type { MediaStore, StoreOutput, TakeInputs } from '../ports/media.ts';
import type { BudgetStore, Routes } from '../ports/providers.ts';
import type { Clock, Log, Random, ReachFaultPoint, Traces } from '../ports/system.ts';
import type { BreakerStore, UpkeepStore, DurationStats } from '../ports/upkeep.ts';
import type { InputTurns } from './inputTurns.ts';
import type { Addresses } from './presentGeneration.ts';
import type { ProviderRoom } from './providerRoom.ts';

/** The parts of a worker's use cases; the console's reach the database and the clock by them, too. */
export interface WorkDeps {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  routes: Routes;
  breakers: BreakerStore;
  providerRoom: ProviderRoom;
  budgets: BudgetStore;
  /** Counts a provider's finished result that was not delivered. */
  countLost(provider: string, reason: LostReason): void;
  /** Counts what an attempt of an ended generation costs. */
  countCost(attempt: Attempt): void;
  media: MediaStore;
  inputTurns: InputTurns;
  upkeep: UpkeepStore;
  takeInputs: TakeInputs;
  storeOutput: StoreOutput;
  /** A short-lived URL of ours for a stored input. */
  inputUrl(generationId: string, index: number, extension: string): string;
  defaultLimits: Limits;
  /** How long a generation of this model may run, in ms. */
  runningDeadlineMs(modelId: string): number;
  /** How long finished files are kept, in ms. */
  outputsKeptMs: number;
  /** How long prompts are kept after the end, in ms. */
  promptsKeptMs: number;
  reach: ReachFaultPoint;
  traces: Traces;
  timings: Timings;
}

/** Paces of the work, in ms. Tests of crashes shorten them; production does not. */
export interface Timings {
  /** How long a worker has a generation to itself; prolonged while it works. */
  leaseMs: number;
  /**
   * How long after a generation's deadline a result that its provider has finished may still be fetched
   * and stored; then any process that claims the generation fails it.
   */
  deadlineGraceMs: number;
  /** Work that is due for longer than this and held by no process was forgotten. */
  neglectedAfterMs: number;
  /** How long a job of a process that died stays locked. */
  lockMs: number;
  reconcileEveryMs: number;
  /** How often the recurring jobs themselves are supervised. */
  superviseEveryMs: number;
}

/** A generation of a killed process moves again within a minute: lease, neglect and one reconciling. */
export const usualTimings: Timings = {
  leaseMs: 30_000,
  deadlineGraceMs: 120_000,
  neglectedAfterMs: 10_000,
  lockMs: 30_000,
  reconcileEveryMs: 10_000,
  superviseEveryMs: 5_000,
};

/** The parts of the use cases that answer the API: creating a generation, and reading. */
export interface CreateDeps {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  reach: ReachFaultPoint;
  models: readonly Model[];
  routes: Routes;
  breakers: BreakerStore;
  durations: DurationStats;
  addresses: Addresses;
  /** Requests under one idempotency scope, one at a time. */
  equalRequests: KeyedLimiter;
  allowances: Allowances;
  /** The operator's rules; nothing in a request changes them. */
  safety: SafetyPolicy;
  defaultLimits: Limits;
  /** Host rules that the site may use without a key's having asked for them. */
  autoApprovedHosts: readonly string[];
  /** How long an Idempotency-Key and its first answer are kept, in ms. */
  idempotencyKeptMs: number;
  /** How long audit records of real-person mode are kept, in ms. */
  auditKeptMs: number;
  /** How long a generation of this model may wait for its start, in ms. */
  waitingDeadlineMs(modelId: string): number;
}
