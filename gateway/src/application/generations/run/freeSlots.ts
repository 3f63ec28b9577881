import { minuteMs } from '@framegate/contract';
import type { Account } from '../../../domain/accounts/account.ts';
import { effectiveLimits } from '../../../domain/accounts/limits.ts';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { GenerationRef } from '../../../domain/generations/order.ts';
import type { OccupiedSlots } from '../../../domain/generations/slots.ts';
import type { WorkState } from '../../../domain/generations/work.ts';
import { admitsAll } from '../../../domain/providers/breaker.ts';
import {
  budgetBreakerKey,
  fileHostKey,
  modelBreakerKey,
} from '../../../domain/providers/breakerKeys.ts';
import type { AppCore } from '../../app.ts';
import { type GenerationMove, StaleWriteError } from '../../ports/database.ts';
import type { SlotLimit } from '../../ports/upkeep.ts';
import { providerLimit, routeLimit } from './providerLimits.ts';
import { eligibleRoutes, providerRequest, routesFor, waitsForOf } from './providerRequest.ts';

/** Maximum number of generations that get a slot in one decision. */
const maxAtOnce = 50;
/** Maximum number of generations skipped because another process holds them. */
const maxLeased = 20;

/** Gives an account's free slots to its waiting generations, oldest first, and wakes their jobs. */
export async function admitWaiting(deps: AppCore, accountId: string): Promise<void> {
  const leased: string[] = [];
  for (let count = maxAtOnce; leased.length <= maxLeased;) {
    const ids = await admitOldest(deps, accountId, count, leased);
    if (ids === 'leased') {
      // It is unknown which of them was stale, so continue one by one.
      count = 1;
      continue;
    }
    for (const generationId of ids) await deps.database.jobs.wake({ generationId, accountId });
    if (ids.length < count) return;
  }
}

/**
 * Admits up to `count` generations within the free slots; `leased` ones are skipped. If another process holds one of
 * them (perhaps to end it at its deadline), none is admitted; when admitting one at a time, it joins `leased`.
 */
async function admitOldest(
  { database, clock, defaultLimits }: AppCore,
  accountId: string,
  count: number,
  leased: string[],
): Promise<string[] | 'leased'> {
  let ids: string[] = [];
  try {
    return await database.changeAccount(accountId, async (account) => {
      const slots = Math.min(count, freeSlots(account));
      const waiting =
        slots > 0 ? await database.generations.findWaiting(accountId, slots + leased.length) : [];
      ids = waiting.filter((id) => !leased.includes(id)).slice(0, slots);
      if (ids.length === 0) return { after: account, result: ids };
      const running = account.running + ids.length;
      const after = { ...account, running, waiting: account.waiting - ids.length };
      return { after, moves: ids.map((id) => moveToReady(id, clock.now())), result: ids };
    });
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    if (count === 1) leased.push(...ids);
    return 'leased';
  }

  function freeSlots(account: Account): number {
    const slots = effectiveLimits(account, defaultLimits).running - account.running;
    return Math.min(slots, account.waiting);
  }
}

function moveToReady(generationId: string, nowMs: number): GenerationMove {
  const timeline = [{ at: nowMs, what: 'has a slot to run' }];
  return { generationId, from: 'waiting', change: { step: 'ready', dueAt: nowMs, timeline } };
}

/** How long a decision about a parked generation's providers stays valid, in ms: routes may change. */
const checkedForMs = minuteMs;
/** Parked generations checked per round. */
const maxChecked = 500;
/** Offers of one slot when other processes keep taking the same generations. */
const maxOffers = 20;

/**
 * Gives free slots at providers to parked generations, alternating between accounts and oldest first within an
 * account. A called generation occupies its slot, so all processes together call exactly as many as there are slots.
 * A provider or model that is due for a probe gets one.
 * @param provider The one with a new free slot; without it, all are served and outdated reasons for waiting
 * are renewed.
 */
export async function wakeParked(deps: AppCore, provider?: string): Promise<void> {
  if (provider === undefined) await checkParkedAgain(deps);
  for (const each of deps.routes.providers()) {
    if (provider !== undefined && provider !== each.provider) continue;
    const { provider: name, budget } = each;
    const slotLimit = providerLimit(each);
    const ofBudget = budget === null ? [] : [budgetBreakerKey({ provider: name, budget })];
    await wakeFor(deps, [slotLimit], [name, ...ofBudget]);
    const ofModels = each.models.flatMap((model) => {
      const route = deps.routes.find(name, model);
      const own = route && routeLimit(route);
      const ofFiles = (route?.fileHosts?.() ?? []).map((host) => fileHostKey(name, host));
      return [modelBreakerKey({ provider: name, model }), ...ofFiles].map((key) => ({ key, own }));
    });
    for (const { key, own } of [
      ...ofBudget.map((budgetKey) => ({ key: budgetKey, own: null })),
      ...ofModels,
    ]) {
      // No generation waits for an unlimited model that has never failed, or for a budget that was never used.
      if (!own && !deps.breakers.isKnown(key)) continue;
      await wakeFor(deps, own ? [slotLimit, own] : [slotLimit], [key, ...ofBudget, name]);
    }
  }
}

/**
 * Gives the slot of an ended generation to another one. A failure does not affect the end: parked generations are also
 * called every few seconds.
 */
export async function wakeAfterEnd(
  deps: AppCore,
  { id, attempts, providerSlot }: Pick<GenerationRef, 'id'> & WorkState & OccupiedSlots,
  lastAttempts: readonly Attempt[] = attempts,
): Promise<void> {
  const provider = lastAttempts.at(-1)?.provider ?? providerSlot;
  if (!provider) return;
  try {
    await wakeParked(deps, provider);
  } catch (error) {
    deps.log.warn({ generationId: id, provider, error }, 'failed to wake parked generations');
  }
}

/**
 * @param slotLimits All must have a free slot; the provider's comes first.
 * @param keys Deciding breakers; the generations wait for the first.
 */
async function wakeFor(
  { database, clock, breakers, providerCapacity }: AppCore,
  slotLimits: readonly [ofProvider: SlotLimit, ofRoute?: SlotLimit],
  keys: readonly [waitsFor: string, ...others: string[]],
): Promise<void> {
  const { generations, jobs } = database;
  const [waitsFor] = keys;
  const admitted = admitsAll(
    keys.map((key) => breakers.get(key)),
    clock.now(),
  );
  if (admitted === 'no' || !(await generations.findNextParked(waitsFor, ''))) return;
  let calls = admitted === 'probe' ? 1 : Infinity;
  const [{ key: providerSlot }, ofRoute] = slotLimits;
  const slots = { providerSlot, routeSlot: ofRoute?.key ?? null };
  await providerCapacity.fill(
    slotLimits.flatMap((slotLimit) => slotLimit ?? []),
    async (afterAccount) => {
      for (let offer = 0; offer < maxOffers && calls > 0; offer += 1) {
        const next = await generations.findNextParked(waitsFor, afterAccount);
        if (!next) return null;
        const change = { step: 'ready' as const, ...slots, dueAt: clock.now() };
        if (!(await generations.move(next, 'parked', change))) continue;
        calls -= 1;
        await jobs.wake({ generationId: next.id, accountId: next.accountId });
        return next.accountId;
      }
      return null;
    },
  );
}

/** Renews old or missing decisions about the providers that parked generations wait for. */
async function checkParkedAgain(deps: AppCore): Promise<void> {
  const { database, clock } = deps;
  const { generations, jobs } = database;
  const nowMs = clock.now();
  const parked = await generations.findParkedCheckedBefore(nowMs - checkedForMs, maxChecked);
  const checked = parked.map((generation) => {
    const { id, accountId, attempts } = generation;
    const all = routesFor(deps, generation);
    const eligible = eligibleRoutes(all, providerRequest(deps, generation), attempts);
    return { id, accountId, waitsFor: waitsForOf(deps, generation, eligible) };
  });
  await generations.recordWaitsFor(checked);
  for (const { id, accountId, waitsFor } of checked) {
    if (waitsFor.providers.length > 0) continue;
    // No route is left, so the generation's job ends it.
    const isMoved = await generations.move({ id, accountId }, 'parked', {
      step: 'ready',
      dueAt: nowMs,
    });
    if (isMoved) await jobs.wake({ generationId: id, accountId });
  }
}
