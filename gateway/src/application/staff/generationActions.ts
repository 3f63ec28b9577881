import { textsIn } from '@framegate/contract';
import { pause } from '@framegate/limits';
import type { Account } from '../../domain/accounts/account.ts';
import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import { refundRule } from '../../domain/credits/refund.ts';
import { type Attempt, withLastAttempt } from '../../domain/generations/attempt.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import { possibleArrivedKeys, withPosters } from '../../domain/generations/mediaFiles.ts';
import type { GenerationRef } from '../../domain/generations/order.ts';
import type { TimelineEvent, WorkState } from '../../domain/generations/work.ts';
import { Refusal, requireGeneration } from '../../domain/refusal.ts';
import type { App, AppCore } from '../app.ts';
import { endGeneration } from '../generations/end/endGeneration.ts';
import { pollHintFor, presentGeneration } from '../generations/presentGeneration.ts';
import { cancelAtProvider } from '../generations/run/providerRequest.ts';
import { StaleWriteError } from '../ports/database.ts';
import type { StaffWrites } from '../ports/staff.ts';
import type { JobLine, StaffGeneration } from '../ports/staffQueries.ts';
import { removeFramesOf } from '../studio/madeUploads.ts';

const maxLeaseAttempts = 8;
const leasePauseMs = 250;

/** An unfinished generation. @throws Refusal `generation_not_found`, `generation_ended`. */
async function requireOpen(
  { database }: Pick<App, 'database'>,
  generationId: string,
): Promise<Generation> {
  const generation = requireGeneration(await database.generations.find(generationId));
  if (generation.step === 'ended') throw new Refusal('generation_ended');
  return generation;
}

/**
 * Acquires the lease of an unfinished generation as a worker does: writes of earlier holders then match nothing. A
 * current lease is not taken away.
 * @throws Refusal `generation_not_found`, `generation_ended`, `generation_busy`.
 */
export async function acquireLease(deps: AppCore, generationId: string): Promise<Generation> {
  const { database, timings } = deps;
  for (let attempt = 1; ; attempt += 1) {
    const { id, accountId } = await requireOpen(deps, generationId);
    const leased = await database.generations.acquireLease({ id, accountId }, timings.leaseMs);
    if (leased) return leased;
    if (attempt === maxLeaseAttempts) throw new Refusal('generation_busy');
    await pause(leasePauseMs);
  }
}

/**
 * Runs the next step of an unfinished generation now: starts it or polls its provider. It only wakes the job; the lease
 * decides, so this is always safe.
 */
export async function runNow(deps: App, generationId: string, by: string): Promise<string> {
  const generation = await requireOpen(deps, generationId);
  await wake(deps, generation, `staff: poll now (${by})`);
  return 'The job runs within a second.';
}

/** Whether a generation waits only for its provider's finished files. */
export function awaitsFiles({ step, attempts }: WorkState): boolean {
  return step === 'submitted' && attempts.at(-1)?.finishedAt !== undefined;
}

/**
 * Downloads a finished generation's files now. Wakes the job as for a poll: the provider is asked for fresh
 * addresses first.
 * @throws Refusal `download_not_waiting`.
 */
export async function retryDownload(deps: App, generationId: string, by: string): Promise<string> {
  const generation = await requireOpen(deps, generationId);
  if (!awaitsFiles(generation)) throw new Refusal('download_not_waiting');
  await wake(deps, generation, `staff: retry the download (${by})`);
  return 'Downloading its files within a second.';
}

async function wake(
  deps: App,
  { id: generationId, accountId }: GenerationRef,
  what: string,
): Promise<void> {
  const { database, clock } = deps;
  await deps.staffWrites.record(generationId, clock.now(), what);
  await database.jobs.wake({ generationId, accountId });
}

/** Fails and refunds an unfinished generation in the same unit of work as every other end (I1, I2, I5). */
export async function failAndRefund(
  deps: AppCore,
  generationId: string,
  { by, reason }: { by: string; reason: string },
): Promise<string> {
  const generation = await acquireLease(deps, generationId);
  const { database, clock } = deps;
  try {
    const what = `staff: fail and refund (${by})`;
    await database.generations.update(generation, { timeline: [{ at: clock.now(), what }] });
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'generation_failed' },
      note: `by staff: ${reason}`,
      attempts: closedAttempts(generation, reason),
    });
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    throw new Refusal('generation_busy');
  }
  await cancelAtProvider(deps, generation);
  return `Failed, and ${refundRule.creditsFor(generation.costCredits)} credits refunded.`;
}

/** The attempts after such an end: one being submitted keeps an unknown outcome permanently. */
function closedAttempts({ step, attempts }: WorkState, reason: string): Attempt[] {
  if (step === 'submitting') return withLastAttempt(attempts, { outcome: 'unknown' });
  if (step !== 'submitted') return attempts;
  return withLastAttempt(attempts, { outcome: 'failed', note: `staff: ${reason}` });
}

/**
 * Removes the files of a completed generation permanently: once marked, they can be neither downloaded nor used as an
 * input; then they are deleted, together with frames that the studio took from them. The record and the charge stay.
 * Upkeep deletes any remaining files.
 */
export async function takeDown(
  deps: Pick<AppCore, 'database' | 'clock' | 'media'> & {
    staffWrites: Pick<StaffWrites, 'markTakenDown'>;
  },
  generationId: string,
  by: string,
): Promise<string> {
  const { database, clock, media } = deps;
  const generation = requireGeneration(await database.generations.find(generationId));
  const wasMarked = await deps.staffWrites.markTakenDown(
    generationId,
    clock.now(),
    `staff: output taken down (${by})`,
  );
  // A repeated call deletes files left behind by a killed process.
  if (!wasMarked && generation.outputsRemovedAt === null) {
    throw new Refusal('output_not_found');
  }
  const outputKeys = generation.outputs.flatMap(({ key }) => withPosters(key));
  for (const key of [...outputKeys, ...possibleArrivedKeys(generation)]) await media.delete(key);
  await removeFramesOf({ database, media }, generation.accountId, [generationId]);
  return generation.outputs.length === 1
    ? '1 file taken down.'
    : `${generation.outputs.length} files taken down.`;
}

/** Everything that a customer wrote into an order. */
export interface RevealedPrompt {
  prompt: string;
  /** Texts among the parameters, by name. */
  texts: [name: string, text: string][];
  /** URLs. */
  inputs: string[];
}

/** The prompt and the inputs, for staff who have given a reason. */
export async function revealPrompt(
  { staffQueries }: App,
  generationId: string,
): Promise<RevealedPrompt> {
  const { prompt, parameters, inputs } = requireGeneration(
    await staffQueries.findGeneration(generationId),
  );
  return { prompt, texts: textsIn(parameters), inputs: inputs.map(({ url }) => url) };
}

/** A line of the timeline with its attempt; null before the first attempt. */
export type AttemptEvent = TimelineEvent & { attempt: number | null };

/** All data about a generation. */
export interface GenerationInspection {
  generation: StaffGeneration;
  account: Account | null;
  key: ApiKey | null;
  timeline: AttemptEvent[];
  entries: LedgerEntry[];
  job: JobLine | null;
  /** The API's current response to the owner, as sent. */
  customerView: string;
}

/** Reads a generation with all related data. @throws Refusal `generation_not_found`. */
export async function inspectGeneration(
  deps: App,
  generationId: string,
): Promise<GenerationInspection> {
  const generation = requireGeneration(await deps.staffQueries.findGeneration(generationId));
  const { accountId } = generation;
  const { database, clock, random } = deps;
  const { publicUrls, durations } = deps;
  const [account, entries, job] = await Promise.all([
    database.accounts.find(accountId),
    deps.staffQueries.findEntries(generation),
    deps.staffQueries.findJob(generationId),
  ]);
  const pollHint = pollHintFor({ clock, random, durations }, generation);
  const record = presentGeneration(generation, publicUrls, clock.now(), pollHint);
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

/** The attempt in progress at the time of an event. */
function attemptAt({ attempts }: StaffGeneration, { at }: TimelineEvent): number | null {
  return attempts.findLast(({ startedAt }) => startedAt <= at)?.number ?? null;
}
