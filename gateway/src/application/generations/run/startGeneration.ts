import type { ProviderRequest, Route } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { WaitsFor } from '../../../domain/generations/slots.ts';
import { clampToHistory } from '../../../domain/generations/work.ts';
import { keyBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import type { AppCore } from '../../app.ts';
import { copyInputs } from '../deliver/copyInputs.ts';
import { type AfterRun, endGeneration } from '../end/endGeneration.ts';
import { concludeSubmission, type SubmissionConclusion } from './concludeSubmission.ts';
import { wakeParked } from './freeSlots.ts';
import type { Lease } from './lease.ts';
import { recordHealth } from './providerHealth.ts';
import { refundBudget, reserveBudget, routeLimit, runInSlots } from './providerLimits.ts';
import { eligibleRoutes, providerRequest, routesFor, waitsForOf } from './providerRequest.ts';
import { readChargedField } from './reportedCharge.ts';
import { findKeyToUse, hasKeyLeft, type RefusedKeys } from './routeKeys.ts';
import { listRankedRoutes } from './routeSpeeds.ts';

/**
 * Submits a generation to a provider: copies its inputs, then tries its routes in the operator's order and weights.
 * Full, busy providers and those with an open circuit are skipped; if no other route accepts the generation, it waits
 * for them. The attempt is written before the provider is called, so a crash in between leaves an unknown outcome and
 * never causes a second submission (I6).
 */
export async function startGeneration(
  deps: AppCore,
  leased: Generation,
  lease: Lease,
): Promise<AfterRun> {
  const generation = await copyInputs(deps, leased, lease.signal);
  if (!generation) return null;
  const request = providerRequest(deps, generation);
  let attempts = generation.attempts;
  let { providerSlot, routeSlot = null } = generation;
  let waits = false;
  /** Providers that may have a free slot for another generation. */
  const toWake = new Set<string>();
  const all = routesFor(deps, generation);
  const eligible = eligibleRoutes(all, request, attempts);
  const refusedKeys = new Set<string>();
  const queue = await listRankedRoutes(deps, generation.model, eligible, request);
  for (let route = queue.shift(); route; route = queue.shift()) {
    const { provider } = route;
    const current = { ...generation, attempts, providerSlot, routeSlot };
    const result = await submit(deps, current, { request, route, refusedKeys }, lease);
    if (result === 'full' || result === 'blocked') {
      waits = true;
      // A slot may have become free before this generation was visible as waiting for it. If its model is blocked, the
      // slot it was assigned is free again.
      if (result === 'full' || providerSlot === provider) toWake.add(provider);
      continue;
    }
    // From here it occupies this provider's slot; the slot it was assigned is free again.
    const slotLimit = routeLimit(route)?.key ?? null;
    if (providerSlot !== null && (providerSlot !== provider || routeSlot !== slotLimit)) {
      toWake.add(providerSlot);
    }
    [providerSlot, routeSlot] = [provider, slotLimit];
    if ('left' in result) {
      await wakeEach(deps, toWake);
      return result.left;
    }
    waits ||= result.waits;
    attempts = result.attempts;
    if (result.refusedKey === null) continue;
    refusedKeys.add(keyBreakerKey(provider, result.refusedKey));
    if (hasKeyLeft(route, refusedKeys)) queue.unshift(route);
  }
  if (waits) {
    const waitsFor = waitsForOf(
      deps,
      { ...generation, attempts },
      eligibleRoutes(all, request, attempts),
    );
    const afterRun = await park(deps, generation, attempts, waitsFor);
    await wakeEach(deps, toWake);
    // Waking may have assigned a slot to this generation as well.
    return toWake.size > 0 ? null : afterRun;
  }
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_failed' },
    note: 'no route accepted it',
    attempts,
  });
  return 'ended';
}

async function wakeEach(deps: AppCore, providers: ReadonlySet<string>): Promise<void> {
  for (const provider of providers) await wakeParked(deps, provider);
}

/** Parks the generation until a provider has a free slot; it keeps its slot in the account. */
function park(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  waitsFor: WaitsFor,
): Promise<AfterRun> {
  return deps.database.generations.update(generation, {
    step: 'parked',
    attempts,
    waitsFor,
    // Undoes the running deadline, which was set for a provider that turned out to be busy.
    startedAt: generation.startedAt,
    deadlineAt: generation.deadlineAt,
    dueAt: generation.deadlineAt,
    leaseUntil: 0,
  });
}

/**
 * Removes an attempt whose provider was not called because the lease had expired, so that it does not count as an
 * unknown outcome.
 * @throws StaleWriteError if another process found it first.
 */
function removeAttempt(deps: AppCore, generation: Generation): Promise<AfterRun> {
  const { attempts, startedAt, deadlineAt, providerSlot, routeSlot = null } = generation;
  const nowMs = deps.clock.now();
  return deps.database.generations.update(generation, {
    step: 'ready',
    attempts,
    startedAt,
    deadlineAt,
    providerSlot,
    routeSlot,
    dueAt: nowMs,
    leaseUntil: 0,
    timeline: [{ at: nowMs, what: 'not submitted to a provider: the lease had expired' }],
  });
}

/** `full` (no slot) and `blocked` (circuit open or busy): the provider was not asked. */
type SubmitResult = 'full' | 'blocked' | SubmissionConclusion;

interface SubmitArgs {
  request: ProviderRequest;
  route: Route;
  refusedKeys: RefusedKeys;
}

async function submit(
  deps: AppCore,
  generation: Generation,
  { request, route, refusedKeys }: SubmitArgs,
  lease: Lease,
): Promise<SubmitResult> {
  const { database, clock, reachFaultPoint } = deps;
  const startedAt = clock.now();
  const cost = await route.findCost(request);
  let attempt: Attempt = {
    number: generation.attempts.length + 1,
    provider: route.provider,
    model: route.model,
    startedAt,
    outcome: 'open',
    operation: null,
    note: null,
    ...(cost === 'nothing' ? { cost: null, isFree: true } : { cost }),
    ...(route.limits && { isLimited: true }),
  };
  const begunAt = clampToHistory(generation, startedAt);
  const deadlineAt = startedAt + deps.runningDeadlineMs(generation);
  const recordIntent = async () => {
    const permission = await findKeyToUse(deps, route, generation, refusedKeys, lease.signal);
    if (!permission) return false;
    if (permission.keyName !== undefined) {
      const keyPrint = route.keyPrintOf?.(permission.keyName);
      attempt = {
        ...attempt,
        key: permission.keyName,
        ...(keyPrint !== undefined && { keyPrint }),
      };
    }
    if (!(await reserveBudget(deps, route, attempt))) return false;
    const writing = database.generations.update(generation, {
      // Images are made within the call, so they are with a provider from here.
      ...(generation.type === 'image' && { status: 'processing' }),
      step: 'submitting',
      startedAt: begunAt,
      deadlineAt,
      attempts: [...generation.attempts, attempt],
      timeline: [{ at: startedAt, what: `submitted to ${route.provider}` }],
    });
    await writing.catch(async (error: unknown) => {
      // The provider is not called.
      await refundBudget(deps, route, attempt);
      throw error;
    });
    return true;
  };
  const intended = await runInSlots(deps.providerCapacity, generation, route, recordIntent);
  if (intended !== 'done') return intended;
  await reachFaultPoint('submit.beforeProvider');
  if (!lease.isHeld()) {
    await refundBudget(deps, route, attempt);
    return { left: await removeAttempt(deps, generation) };
  }
  const submission = await route.submit(request, lease.signal, attempt.key);
  await reachFaultPoint('submit.afterProvider');
  const { response, reported, charged } = submission;
  const responses = response && { submit: { at: clock.now(), ...response } };
  const isFree = submission.kind === 'refused' && submission.code === null;
  const facts = {
    ...(responses && { responses }),
    ...(reported !== undefined && { reported }),
    ...(await readChargedField(deps, generation, attempt, charged)),
    ...(isFree && { isFree }),
  };
  const outcome = (change: Partial<Attempt>) => [
    ...generation.attempts,
    { ...attempt, ...facts, ...change },
  ];
  if (isFree) await refundBudget(deps, route, attempt);
  const running = { ...generation, startedAt: begunAt, deadlineAt };
  const record = () => recordHealth(deps, route, generation, submission, attempt.key);
  // Recorded first after a refusal, which leaves nothing to store: the health decides whether the order waits.
  const isRepeated = submission.kind === 'refused' && (await record());
  const result = { submission, outcome, isRepeated };
  const concluded = await concludeSubmission(deps, running, result, lease.signal);
  if (submission.kind !== 'refused') await record();
  return concluded;
}
