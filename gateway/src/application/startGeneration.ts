import type { FailureCode } from '@framegate/contract';
import type { Attempt, Generation } from '../domain/generation.ts';
import { orderRoutes } from '../domain/routeOrder.ts';
import { completeGeneration } from './completeGeneration.ts';
import { lookDelayMs } from './lookAtGeneration.ts';
import { mayGive, noteSign } from './providerHealth.ts';
import { providerRequest } from './providerRequest.ts';
import type { ProviderRequest, Route, Submission } from './ports/route.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import { settleGeneration } from './settleGeneration.ts';
import { settleUnknown } from './settleUnknown.ts';
import type { WorkDeps } from './workDeps.ts';

/** How often files that exist only in our memory are tried to be stored. */
const storeTries = 3;

/**
 * Gives a generation to a provider: takes its inputs over, then tries its routes in the operator's
 * order and weights. A provider that is full, busy or closed off is passed over, and the generation
 * waits for it when no other route takes it. The attempt is written before the provider is called, so
 * that a crash in between leaves an unknown outcome and never a second submission (I6).
 */
export async function startGeneration(
  deps: WorkDeps,
  claimed: Generation,
  signal: AbortSignal,
): Promise<void> {
  const generation = await withInputs(deps, claimed, signal);
  if (!generation) return;
  const request = providerRequest(deps, generation);
  let attempts = generation.attempts;
  let full = false;
  const routes = orderRoutes(deps.routes.of(generation.model), () => deps.random.fraction());
  for (const route of routes) {
    if (!route.covers(request) || refusedBefore(attempts, route)) continue;
    const result = await submit(deps, { ...generation, attempts }, request, route, signal);
    if (result === 'done') return;
    if (result.busy) full = true;
    else attempts = result.attempts;
  }
  if (full) return park(deps, generation, attempts);
  await settleGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_failed' },
    note: 'no route took it',
    attempts,
  });
}

const refusedBefore = (attempts: readonly Attempt[], route: Route) =>
  attempts.some(
    (each) =>
      each.outcome === 'refused' && each.provider === route.provider && each.model === route.model,
  );

/** Waits until a provider has room; its place in the account stays. */
async function park(deps: WorkDeps, generation: Generation, attempts: Attempt[]): Promise<void> {
  await deps.database.generations.update(generation, {
    step: 'parked',
    attempts,
    // A provider that was busy after all had set the running deadline.
    startedAt: generation.startedAt,
    deadlineAt: generation.deadlineAt,
    dueAt: generation.deadlineAt,
    leaseUntil: 0,
  });
}

/** The generation with its inputs in our store; null when that failed and ended it. */
async function withInputs(
  deps: WorkDeps,
  generation: Generation,
  signal: AbortSignal,
): Promise<Generation | null> {
  if (generation.inputs.length === 0 || generation.storedInputs) return generation;
  const sources = await Promise.all(
    generation.inputs.map(async (input) => ({ ...input, storeKey: await ownKey(deps, input) })),
  );
  const taken = await deps.takeInputs(generation.id, sources, signal);
  if ('failed' in taken) {
    const { code, param, reason } = taken.failed;
    await settleGeneration(deps, generation, {
      status: 'failed',
      failure: { code, param },
      note: reason,
    });
    return null;
  }
  await deps.reach('inputs.afterStored');
  if (generation.realPerson) {
    const hashes = taken.stored.map(({ sha256 }) => sha256);
    await deps.database.realPersonAudit.noteInputs(generation.id, hashes);
  }
  await deps.database.generations.update(generation, { storedInputs: taken.stored });
  return { ...generation, storedInputs: taken.stored };
}

async function ownKey(
  { database }: WorkDeps,
  { ownOutput }: Generation['inputs'][number],
): Promise<string | null> {
  if (!ownOutput) return null;
  const source = await database.generations.view(ownOutput.generationId);
  return source?.outputs[ownOutput.index]?.key ?? '';
}

type Submitted = 'done' | { busy: boolean; attempts: Attempt[] };

async function submit(
  deps: WorkDeps,
  generation: Generation,
  request: ProviderRequest,
  route: Route,
  signal: AbortSignal,
): Promise<Submitted> {
  const { database, clock, reach } = deps;
  const startedAt = clock.now();
  const attempt: Attempt = {
    number: generation.attempts.length + 1,
    provider: route.provider,
    model: route.model,
    startedAt,
    outcome: 'open',
    operation: null,
    note: null,
  };
  const intend = () =>
    database.generations.update(generation, {
      // Images are made within the one call: they are with a provider from here on.
      ...(generation.type === 'image' && { status: 'processing' }),
      step: 'submitting',
      startedAt,
      deadlineAt: startedAt + deps.runningDeadlineMs(generation.model),
      attempts: [...generation.attempts, attempt],
      timeline: [{ at: startedAt, what: `given to ${route.provider}` }],
    });
  const hasRoom = await deps.providerRoom(route.provider, route.maxConcurrent, async () => {
    if (!(await mayGive(deps, route.provider))) return false;
    await intend();
    return true;
  });
  if (!hasRoom) return { busy: true, attempts: generation.attempts };
  await reach('submit.beforeProvider');
  const submission = await route.submit(request, signal);
  await reach('submit.afterProvider');
  const { answer } = submission;
  const answers = answer && { submit: { at: clock.now(), ...answer } };
  const outcome = (change: Partial<Attempt>) => [
    ...generation.attempts,
    { ...attempt, ...(answers && { answers }), ...change },
  ];
  const concluded = await conclude(deps, generation, submission, outcome, signal);
  await noteSign(deps, route.provider, submission);
  return concluded;
}

async function conclude(
  deps: WorkDeps,
  generation: Generation,
  submission: Submission,
  outcome: (change: Partial<Attempt>) => Attempt[],
  signal: AbortSignal,
): Promise<Submitted> {
  const { database, clock } = deps;
  switch (submission.kind) {
    case 'accepted': {
      const now = clock.now();
      await database.generations.update(generation, {
        status: 'processing',
        step: 'submitted',
        attempts: outcome({ outcome: 'accepted', operation: submission.operation }),
        dueAt: now + lookDelayMs(0),
        leaseUntil: 0,
        timeline: [{ at: now, what: 'accepted by the provider' }],
      });
      return 'done';
    }
    case 'completed':
      await storeFromMemory(
        deps,
        generation,
        outcome({ outcome: 'completed' }),
        submission,
        signal,
      );
      return 'done';
    case 'undelivered': {
      const { operation, note } = submission;
      const attempts = outcome({ outcome: 'failed', operation, note });
      await fail(deps, generation, 'generation_failed', note, attempts);
      return 'done';
    }
    case 'refused': {
      const attempts = outcome({ outcome: 'refused', note: submission.note });
      if (submission.code === null) {
        const kept = submission.busy ? generation.attempts : attempts;
        return { busy: submission.busy, attempts: kept };
      }
      await fail(deps, generation, submission.code, submission.note, attempts);
      return 'done';
    }
    case 'unknown':
      await settleUnknown(deps, {
        ...generation,
        attempts: outcome({ outcome: 'unknown', note: submission.note }),
      });
      return 'done';
  }
}

/** Files that a provider answered at once exist nowhere else: try hard, else give the credits back. */
async function storeFromMemory(
  deps: WorkDeps,
  generation: Generation,
  attempts: Attempt[],
  { outputs }: Extract<Submission, { kind: 'completed' }>,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await completeGeneration(deps, generation, attempts, outputs, signal);
      return;
    } catch (error) {
      if (signal.aborted || error instanceof StaleWrite) throw error;
      deps.log.warn({ generationId: generation.id, error, attempt }, 'outputs could not be stored');
      if (attempt < storeTries) continue;
      return fail(deps, generation, 'internal_error', String(error), attempts);
    }
  }
}

async function fail(
  deps: WorkDeps,
  generation: Generation,
  code: FailureCode,
  note: string,
  attempts: Attempt[],
): Promise<void> {
  await settleGeneration(deps, generation, { status: 'failed', failure: { code }, note, attempts });
}
