import type { Attempt, Generation, ProviderAnswer } from '../domain/generation.ts';
import { withLastAttempt } from '../domain/withLastAttempt.ts';
import { completeGeneration } from './completeGeneration.ts';
import type { Look } from './ports/route.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import { providerRequest } from './providerRequest.ts';
import { settleGeneration } from './settleGeneration.ts';
import type { WorkDeps } from './workDeps.ts';

/**
 * When to look next at a generation that has run for so long, in ms: about a twelfth of its age. At
 * most 8 s, so that an end is seen within 10 s (design section 10).
 */
export function lookDelayMs(runningMs: number): number {
  return Math.min(8_000, Math.max(500, runningMs / 12));
}

/** Asks the provider how far a submitted generation is. Never throws but when aborted. */
export async function askProvider(
  deps: WorkDeps,
  generation: Generation,
  signal: AbortSignal,
): Promise<Look> {
  const attempt = generation.attempts.at(-1);
  const route = attempt && deps.routes.find(attempt.provider, attempt.model);
  if (!route) return { kind: 'fault', note: 'the operator no longer has this route' };
  try {
    return await route.look(attempt.operation, providerRequest(deps, generation), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'fault', note: String(error) };
  }
}

/**
 * Acts on what a look said: keeps waiting, takes the files over, or fails and refunds. Only a verdict
 * or the deadline ends a generation; trouble with asking never does.
 * @returns when to look next, in ms since the epoch; null when it has ended.
 */
export async function actOnLook(
  deps: WorkDeps,
  generation: Generation,
  look: Look,
  signal: AbortSignal,
): Promise<number | null> {
  const now = deps.clock.now();
  const runningMs = now - (generation.startedAt ?? now);
  const answer = look.kind === 'pending' ? undefined : look.answer;
  const said = answer && { answers: { look: { at: now, ...answer } } };
  if (look.kind === 'failed') {
    await settleGeneration(deps, generation, {
      status: 'failed',
      failure: { code: look.code },
      note: look.note,
      attempts: withLastAttempt(generation.attempts, {
        outcome: 'failed',
        note: look.note,
        ...said,
      }),
    });
    return null;
  }
  if (look.kind === 'completed') {
    try {
      const attempts = withLastAttempt(generation.attempts, { outcome: 'completed', ...said });
      await completeGeneration(deps, generation, attempts, look.outputs, signal);
      return null;
    } catch (error) {
      if (signal.aborted || error instanceof StaleWrite) throw error;
      deps.log.warn({ generationId: generation.id, error }, 'outputs could not be taken over');
      await noteUnfetched(deps, generation, { finishedAt: now, ...said });
    }
  }
  if (look.kind === 'fault') {
    deps.log.warn({ generationId: generation.id, note: look.note }, 'a look told nothing');
    await noteFault(deps, generation, { fault: faultOf(answer), ...said });
  }
  if (now < generation.deadlineAt) {
    return now + (look.kind === 'pending' ? lookDelayMs(runningMs) : 2 * lookDelayMs(runningMs));
  }
  await settleGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_timeout' },
    note: 'not finished at its deadline',
    onlyPastDeadline: true,
  });
  return null;
}

/** Writes down once that only the files are missing. */
async function noteUnfetched(
  { database }: WorkDeps,
  generation: Generation,
  change: Pick<Attempt, 'answers'> & { finishedAt: number },
): Promise<void> {
  if (generation.attempts.at(-1)?.finishedAt !== undefined) return;
  await database.generations.update(generation, {
    attempts: withLastAttempt(generation.attempts, change),
    timeline: [{ at: change.finishedAt, what: 'made by the provider; its files are not here yet' }],
  });
}

/** Writes a fault down when it is another than the last: looks come often, and mostly fail alike. */
async function noteFault(
  { database }: WorkDeps,
  generation: Generation,
  change: Pick<Attempt, 'answers'> & { fault: string },
): Promise<void> {
  if (generation.attempts.at(-1)?.fault === change.fault) return;
  await database.generations.update(generation, {
    attempts: withLastAttempt(generation.attempts, change),
  });
}

/** A fault in a word that stays the same while the trouble does. */
function faultOf(answer: ProviderAnswer | undefined): string {
  const { status = null, failure = null } = answer ?? {};
  return failure ?? (status === null ? 'no answer' : `status ${String(status)}`);
}
