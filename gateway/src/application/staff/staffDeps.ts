import type { Limits } from '../../domain/limits.ts';
import type { Addresses } from '../presentGeneration.ts';
import type { DurationStats } from '../ports/upkeep.ts';
import type { AttemptStore } from '../site/ports.ts';
import type { WorkDeps } from '../workDeps.ts';
import type { FigureReaders } from './figures.ts';
import type {
  AuditLog,
  ProposalStore,
  SecondFactorStore,
  StaffQueries,
  StaffSessionStore,
  StaffWrites,
} from './ports.ts';

/** What removing things for good works with; the command line does so, too. */
export interface RemovalDeps {
  work: Pick<WorkDeps, 'database' | 'clock' | 'media' | 'log'>;
  writes: Pick<StaffWrites, 'markTakenDown' | 'eraseTraces'>;
}

/** What the use cases of the console work with: the workers' parts, and staff's own stores. */
export interface StaffDeps {
  work: WorkDeps;
  queries: StaffQueries;
  writes: StaffWrites;
  audit: AuditLog;
  proposals: ProposalStore;
  attempts: AttemptStore;
  /** Grants and adjustments of more credits need a second admin. */
  secondPersonCredits: number;
  /** Credits that one member of support may move in a day (UTC). */
  supportCreditsPerDay: number;
  figures: FigureReaders;
  factors: SecondFactorStore;
  sessions: StaffSessionStore;
  addresses: Addresses;
  durations: DurationStats;
  defaultLimits: Limits;
  /** Hashes of an API key under every pepper. */
  keyHashes(apiKey: string): string[];
}
