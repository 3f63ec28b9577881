import type { Generation } from '../../domain/generation.ts';
import { AdminProblem } from '../admin/adminProblem.ts';
import { DuplicateValue, StaleWrite } from '../ports/storeErrors.ts';
import { providerRequest } from '../providerRequest.ts';
import { adjustCredits } from './adjustCredits.ts';
import { goodwillMax } from './accountActions.ts';
import { failAndRefund, takeLease } from './generationActions.ts';
import type { StaffRole } from './rights.ts';
import type { StaffDeps } from './staffDeps.ts';

/** What staff found out about a submission of unknown outcome. */
export interface Judgement {
  generationId: string;
  /** Whether the provider has it. */
  found: boolean;
  /** The provider's handle: its task id, or the operation as JSON. Needed to adopt. */
  operation: string;
  /** Credits to give (or take, below zero) once it is final; 0 for none. */
  adjustment: number;
  /** Support may give and take no more here than as goodwill. */
  role: StaffRole;
  reason: string;
  by: string;
  requestId: string;
}

const lookMs = 20_000;

/**
 * Resolves a submission whose outcome nobody knew (I6). While the generation is not final, one that the
 * provider has is adopted, after the provider itself has confirmed it, and one that it does not have
 * fails and is refunded. A final one stays as it is: its judgement is noted, and credits are adjusted.
 */
export async function resolveUnknown(deps: StaffDeps, judgement: Judgement): Promise<string> {
  const generation = await deps.queries.generation(judgement.generationId);
  if (!generation) throw new AdminProblem(`There is no generation ${judgement.generationId}.`);
  if (generation.step === 'ended') return resolveFinal(deps, generation, judgement);
  const last = generation.attempts.at(-1);
  const unknown = generation.step === 'submitting' || last?.outcome === 'unknown';
  if (!unknown) throw new AdminProblem('Its last submission has a known outcome.');
  if (judgement.found) return adopt(deps, judgement);
  return failAndRefund(deps, generation.id, judgement);
}

async function adopt(deps: StaffDeps, judgement: Judgement): Promise<string> {
  const operation = readOperation(judgement.operation);
  const generation = await takeLease(deps, judgement.generationId);
  const { database, clock, routes } = deps.work;
  const last = generation.attempts.at(-1);
  const route = last && routes.find(last.provider, last.model);
  const ready = generation.step === 'ready' && last?.outcome === 'unknown';
  if (!last || !route || (generation.step !== 'submitting' && !ready)) {
    await database.generations.update(generation, { leaseUntil: 0 });
    throw new AdminProblem('There is no submission of unknown outcome any more. Look again.');
  }
  const request = providerRequest(deps.work, generation);
  const look = await route.look(operation, request, AbortSignal.timeout(lookMs));
  if (look.kind === 'fault' || look.kind === 'failed') {
    await database.generations.update(generation, { leaseUntil: 0, dueAt: clock.now() });
    throw new AdminProblem(`The provider does not confirm it: ${look.note}`);
  }
  const now = clock.now();
  try {
    await database.generations.update(generation, {
      status: 'processing',
      step: 'submitted',
      attempts: [
        ...generation.attempts.slice(0, -1),
        { ...last, outcome: 'accepted', operation, note: `adopted by staff: ${judgement.reason}` },
      ],
      dueAt: now,
      leaseUntil: 0,
      timeline: [{ at: now, what: `staff: adopted what the provider has (${judgement.by})` }],
    });
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    throw new AdminProblem('Somebody else changed it at the same moment. Look again.');
  }
  return 'Adopted: it goes on from what the provider has.';
}

/** A task id stands for itself in the form that our own provider code gives it. */
function readOperation(text: string): unknown {
  const typed = text.trim();
  if (typed === '') throw new AdminProblem("Enter the provider's task id.");
  if (!/^[[{"]/.test(typed)) return { taskId: typed };
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    throw new AdminProblem('The operation is not valid JSON.');
  }
}

async function resolveFinal(
  deps: StaffDeps,
  generation: Generation & { resolution?: unknown },
  { found, adjustment, role, reason, by, requestId }: Judgement,
): Promise<string> {
  const { id: generationId, accountId } = generation;
  if (!generation.attempts.some(({ outcome }) => outcome === 'unknown')) {
    throw new AdminProblem('None of its submissions has an unknown outcome.');
  }
  if (generation.resolution) throw new AdminProblem('It was resolved before.');
  if (role === 'support' && Math.abs(adjustment) > goodwillMax) {
    throw new AdminProblem(`Support adjust ${goodwillMax} credits at most; ask an admin for more.`);
  }
  if (adjustment !== 0) {
    const change = { accountId, amount: adjustment, reason, generationId, requestId };
    try {
      await adjustCredits(deps.work, change);
    } catch (error) {
      // A process that was killed after the adjustment left only the note to be written.
      if (!(error instanceof DuplicateValue)) throw error;
    }
  }
  const now = deps.work.clock.now();
  const words = found ? 'the provider had made it' : 'the provider never had it';
  const what = `staff: unknown outcome resolved, ${words} (${by})`;
  const noted = await deps.writes.resolve(generationId, { resolvedAt: now, found, by }, what);
  if (!noted) throw new AdminProblem('It was resolved before.');
  return adjustment === 0 ? `Resolved: ${words}.` : `Resolved: ${words}; ${adjustment} credits.`;
}
