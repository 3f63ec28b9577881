import type { Model } from '@framegate/contract';
import type { Limits } from '../../domain/limits.ts';
import type { SafetyPolicy } from '../../domain/safetyPolicy.ts';
import type { Allowances } from '../allowances.ts';
import type { Database } from '../ports/database.ts';
import type { KeyedLimiter } from '../ports/keyedLimiter.ts';
import type { Routes } from '../ports/providers.ts';
import type { Clock, Log, Random, ReachFaultPoint } from '../ports/system.ts';
import type { BreakerStore, DurationStats } from '../ports/upkeep.ts';
import type { Addresses } from './presentGeneration.ts';

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
