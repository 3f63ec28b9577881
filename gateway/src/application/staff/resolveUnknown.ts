import type { Route } from '@framegate/provider-routes';
import { withLastAttempt } from '../../domain/generations/attempt.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import type { GenerationRef } from '../../domain/generations/order.ts';
import type { WorkState } from '../../domain/generations/work.ts';
import { Refusal, requireGeneration } from '../../domain/refusal.ts';
import type { StaffRole } from '../../domain/staff/staffRights.ts';
import type { App } from '../app.ts';
import { assignTask, taskIdIn } from '../generations/run/ownTask.ts';
import { providerRequest } from '../generations/run/providerRequest.ts';
import { DuplicateValueError, StaleWriteError } from '../ports/database.ts';
import { adjustCredits } from './adjustCredits.ts';
import { acquireLease, failAndRefund } from './generationActions.ts';
import { moveCredits } from './secondPerson.ts';

/** Staff's findings about a submission of unknown outcome. */
export interface ResolveCommand {
  generationId: string;
  /** Whether the provider has the job. */
  isAtProvider: boolean;
  /** The provider's handle, required for adoption: its task id if that suffices, else the operation as JSON. */
  operation: string;
  /** Credits to add (negative: deduct) for a final generation; 0 for none. */
  adjustment: number;
  /** The limits of goodwill apply to support here. */
  role: StaffRole;
  reason: string;
  by: string;
  requestId: string;
  /** Reference of the adjustment. */
  reference?: string | undefined;
}

/** Maximum length of an operation, in characters: the audit log keeps it in full. */
export const maxOperationLength = 2_000;

const confirmMs = 20_000;

/**
 * Resolves a submission with an unknown outcome (I6). Before the end, a job found at the provider is adopted once the
 * provider confirms it; without such a job the generation fails and is refunded. A final generation stays unchanged:
 * the finding is recorded and credits are adjusted.
 */
export async function resolveUnknown(deps: App, resolution: ResolveCommand): Promise<string> {
  const { generationId } = resolution;
  const generation = requireGeneration(await deps.staffQueries.findGeneration(generationId));
  if (generation.step === 'ended') return resolveFinal(deps, generation, resolution);
  const last = generation.attempts.at(-1);
  const isUnknown = generation.step === 'submitting' || last?.outcome === 'unknown';
  if (!isUnknown) throw new Refusal('outcome_known');
  if (resolution.isAtProvider) return adopt(deps, generation, resolution);
  return failAndRefund(deps, generation.id, resolution);
}

/** The route of a generation's last submission, if it still exists. */
function lastRoute({ routes }: App, { attempts }: Pick<WorkState, 'attempts'>) {
  const last = attempts.at(-1);
  return last ? routes.find(last.provider, last.model, last.key) : null;
}

/** The text that staff enter to adopt the provider's job of the last submission; null if that is impossible. */
export async function loadAdoptionHint(deps: App, generationId: string): Promise<string | null> {
  const generation = await deps.staffQueries.findGeneration(generationId);
  const last = generation?.attempts.at(-1);
  if (!generation || !last || generation.step === 'ended') return null;
  if (generation.type === 'image') {
    return 'Images are generated in one call, so there is no task to continue.';
  }
  return lastRoute(deps, generation)?.operationOf
    ? `To continue from it, enter the task ID that ${last.provider} shows.`
    : `To continue from it: ${needsJson(last.provider)}`;
}

const needsJson = (provider: string) =>
  `a task ID is not enough for ${provider}. Enter the operation as JSON, as shown in the Operation column for an attempt that ${provider} accepted, such as {"requestId":"…"}.`;

async function adopt(deps: App, before: Generation, resolution: ResolveCommand): Promise<string> {
  const operation = parseOperation(resolution, before, lastRoute(deps, before));
  const generation = await acquireLease(deps, resolution.generationId);
  const { database, clock } = deps;
  const last = generation.attempts.at(-1);
  const route = lastRoute(deps, generation);
  const isReady = generation.step === 'ready' && last?.outcome === 'unknown';
  if (!last || !route || (generation.step !== 'submitting' && !isReady)) {
    await database.generations.update(generation, { leaseUntil: 0 });
    throw new Refusal('outcome_known');
  }
  const request = providerRequest(deps, generation);
  const limit = AbortSignal.timeout(confirmMs);
  const result = await route.poll(operation, request, limit, 'staff', last.key);
  if (result.kind === 'fault' || result.kind === 'failed') {
    await database.generations.update(generation, { leaseUntil: 0, dueAt: clock.now() });
    throw new Refusal('task_not_confirmed', { values: { note: result.note } });
  }
  const owner = await assignTask(deps, generation.id, last, operation);
  if (owner !== null) {
    await database.generations.update(generation, { leaseUntil: 0, dueAt: clock.now() });
    throw new Refusal('task_taken', { values: { owner } });
  }
  const nowMs = clock.now();
  try {
    await database.generations.update(generation, {
      status: 'processing',
      step: 'submitted',
      attempts: withLastAttempt(generation.attempts, {
        outcome: 'accepted',
        operation,
        ...taskIdIn(deps, last, { operation }),
        operationFrom: 'staff',
        note: `adopted by staff: ${resolution.reason}`,
      }),
      dueAt: nowMs,
      leaseUntil: 0,
      timeline: [{ at: nowMs, what: `staff: adopted the provider's result (${resolution.by})` }],
    });
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    throw new Refusal('generation_busy');
  }
  return 'Adopted: it continues with the task at the provider.';
}

/**
 * Converts the provider's own id to the handle of its package. Packages without a conversion take the operation as
 * JSON, from admins only, because it may name the address to call.
 */
function parseOperation(
  { operation: text, role }: ResolveCommand,
  { attempts }: Pick<WorkState, 'attempts'>,
  route: Route | null,
): unknown {
  const typed = text.trim();
  if (typed === '') throw new Refusal('task_missing');
  if (typed.length > maxOperationLength) {
    throw new Refusal('operation_too_long', { values: { max: maxOperationLength } });
  }
  if (!/^[[{"]/.test(typed)) {
    const provider = attempts.at(-1)?.provider ?? '';
    if (!route?.operationOf) throw new Refusal('operation_expected', { values: { provider } });
    const operation = route.operationOf(typed);
    if (operation === null) throw new Refusal('task_invalid', { values: { provider } });
    return operation;
  }
  if (route?.operationOf) throw new Refusal('task_expected');
  if (role !== 'admin') throw new Refusal('operation_for_admins');
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    throw new Refusal('operation_invalid');
  }
}

async function resolveFinal(
  deps: App,
  generation: Generation & { resolution?: unknown },
  resolution: ResolveCommand,
): Promise<string> {
  const { isAtProvider, adjustment, role, by } = resolution;
  const { id: generationId } = generation;
  if (!generation.attempts.some(({ outcome }) => outcome === 'unknown')) {
    throw new Refusal('outcome_known');
  }
  if (generation.resolution) throw new Refusal('resolved_already');
  if (Math.abs(adjustment) > deps.secondPersonCredits) {
    throw new Refusal('adjustment_too_high');
  }
  const { accountId } = generation;
  const move = { by: { role, email: by }, accountId, amount: adjustment, confirms: null };
  const moved = await moveCredits(deps, move, () => adjustOnce(deps, generation, resolution));
  const nowMs = deps.clock.now();
  const outcome = isAtProvider ? 'the provider had made it' : 'the provider never had it';
  const what = `staff: unknown outcome resolved, ${outcome} (${by})`;
  const wasNoted = await deps.staffWrites.resolve(
    generationId,
    { resolvedAt: nowMs, isFound: isAtProvider, by },
    what,
  );
  if (!wasNoted) throw new Refusal('resolved_already');
  return moved === 0 ? `Resolved: ${outcome}.` : `Resolved: ${outcome}; ${moved} credits.`;
}

/**
 * Makes the adjustment of a resolution, once per generation. An adjustment made by a process that died before recording
 * it stays in force.
 * @returns The credits of the generation's adjustment in the ledger; 0 for none.
 * @throws Refusal `adjusted_already` if there is one of another amount.
 */
async function adjustOnce(
  deps: App,
  { id: generationId, accountId }: GenerationRef,
  { adjustment, reason, requestId, reference }: ResolveCommand,
): Promise<number> {
  const findAdjusted = async (): Promise<number> => {
    const entries = await deps.staffQueries.findEntries({ id: generationId, accountId });
    return entries.find(({ kind }) => kind === 'adjustment')?.amount ?? 0;
  };
  let before = await findAdjusted();
  if (before === 0 && adjustment !== 0) {
    const change = { accountId, amount: adjustment, reason, generationId, requestId, reference };
    try {
      await adjustCredits(deps, change);
      return adjustment;
    } catch (error) {
      if (!(error instanceof DuplicateValueError) || error.index !== 'accountGenerationKind') {
        throw error;
      }
      before = await findAdjusted();
    }
  }
  if (before === adjustment) return before;
  throw new Refusal('adjusted_already', { values: { before } });
}
