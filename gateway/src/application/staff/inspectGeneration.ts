import type { Account, ApiKey } from '../../domain/account.ts';
import type { TimelineEvent } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import { AdminProblem } from '../admin/adminProblem.ts';
import { getGeneration } from '../getGeneration.ts';
import type { JobLine, StaffGeneration } from './ports.ts';
import type { StaffDeps } from './staffDeps.ts';

/** A line of the timeline with the attempt that it falls into; null before the first. */
export type PlacedEvent = TimelineEvent & { attempt: number | null };

/** Everything that there is to know about a generation. */
export interface Inspected {
  generation: StaffGeneration;
  account: Account | null;
  key: ApiKey | null;
  timeline: PlacedEvent[];
  entries: LedgerEntry[];
  job: JobLine | null;
  /** What the API answers its owner at this moment, as it is sent. */
  customerView: string;
}

/** Reads a generation with all that belongs to it. @throws AdminProblem when there is none. */
export async function inspectGeneration(deps: StaffDeps, generationId: string): Promise<Inspected> {
  const generation = await deps.queries.generation(generationId);
  if (!generation) throw new AdminProblem(`There is no generation ${generationId}.`);
  const { accountId } = generation;
  const { database, clock, random } = deps.work;
  const { addresses, durations } = deps;
  const reading = { database, clock, random, durations, addresses };
  const [account, entries, job, record] = await Promise.all([
    database.accounts.find(accountId),
    deps.queries.entriesOf(generationId),
    deps.queries.job(generationId),
    getGeneration(reading, { accountId }, generationId),
  ]);
  return {
    generation,
    account,
    key: account?.keys.find(({ id }) => id === generation.keyId) ?? null,
    timeline: generation.timeline.map((event) => ({
      ...event,
      attempt: attemptAt(generation, event),
    })),
    entries,
    job,
    customerView: JSON.stringify(record),
  };
}

/** The attempt under way when an event happened. */
function attemptAt({ attempts }: StaffGeneration, { at }: TimelineEvent): number | null {
  return attempts.findLast(({ startedAt }) => startedAt <= at)?.number ?? null;
}
