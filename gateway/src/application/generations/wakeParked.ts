import { admitsAll, budgetBreakerKey, modelBreakerKey } from '../../domain/breaker.ts';
import type { Attempt, Generation } from '../../domain/generation.ts';
import { eligibleRoutes, providerRequest, waitsForOf } from './providerRequest.ts';
import { providerLimit, routeLimit } from './roomLimits.ts';
import type { RoomLimit } from '../ports/upkeep.ts';
import type { WorkDeps } from './workDeps.ts';

/** What a parked generation waits for is decided again after this time, in ms: routes may have changed. */
const checkedForMs = 60_000;
/** Parked generations that are decided in one go. */
const maxChecked = 500;
/** How often a place is offered while other processes take the same generations. */
const maxOffers = 20;

/**
 * Calls parked generations to the places that are free at their providers, in turn between accounts and
 * the oldest of an account first. One that is called has its place, so exactly as many are called as
 * there are places, over all processes; a provider or model that is due for a probe gets one.
 * @param provider The one at which a place has become free; without it all are served, and what
 *   parked generations wait for is kept up to date.
 */
export async function wakeParked(deps: WorkDeps, provider?: string): Promise<void> {
  if (provider === undefined) await recheckParked(deps);
  for (const each of deps.routes.providers()) {
    if (provider !== undefined && provider !== each.provider) continue;
    const { provider: name, budget } = each;
    const roomLimit = providerLimit(each);
    const ofBudget = budget === null ? [] : [budgetBreakerKey({ provider: name, budget })];
    await wakeFor(deps, [roomLimit], [name, ...ofBudget]);
    const ofModels = each.models.map((model) => {
      const route = deps.routes.find(name, model);
      return { key: modelBreakerKey({ provider: name, model }), own: route && routeLimit(route) };
    });
    for (const { key, own } of [...ofBudget.map((key) => ({ key, own: null })), ...ofModels]) {
      // Nothing waits for a model without limits that has never failed, or a budget that was never spent.
      if (!own && !deps.breakers.isKnown(key)) continue;
      await wakeFor(deps, own ? [roomLimit, own] : [roomLimit], [key, ...ofBudget, name]);
    }
  }
}

/**
 * Calls another generation to the place that one has left by ending. The end stands when this
 * fails: parked generations are also called every few seconds.
 */
export async function wakeAfterEnd(
  deps: WorkDeps,
  { id, attempts, place }: Generation,
  lastAttempts: readonly Attempt[] = attempts,
): Promise<void> {
  const provider = lastAttempts.at(-1)?.provider ?? place;
  if (!provider) return;
  try {
    await wakeParked(deps, provider);
  } catch (error) {
    deps.log.warn({ generationId: id, provider, error }, 'parked generations could not be called');
  }
}

/**
 * @param roomLimits That have to have room, the provider's first.
 * @param keys Of the breakers that have a say; the first is what the generations wait for.
 */
async function wakeFor(
  { database, clock, breakers, providerRoom }: WorkDeps,
  roomLimits: readonly [ofProvider: RoomLimit, ofRoute?: RoomLimit],
  keys: readonly [waitsFor: string, ...others: string[]],
): Promise<void> {
  const { generations, jobs } = database;
  const [waitsFor] = keys;
  const admitted = admitsAll(
    keys.map((key) => breakers.of(key)),
    clock.now(),
  );
  if (admitted === 'no' || !(await generations.nextParked(waitsFor, ''))) return;
  let calls = admitted === 'probe' ? 1 : Infinity;
  const [{ key: place }, ofRoute] = roomLimits;
  const places = { place, routePlace: ofRoute?.key ?? null };
  await providerRoom.fill(
    roomLimits.flatMap((roomLimit) => roomLimit ?? []),
    async (afterAccount) => {
      for (let offer = 0; offer < maxOffers && calls > 0; offer += 1) {
        const next = await generations.nextParked(waitsFor, afterAccount);
        if (!next) return null;
        const change = { step: 'ready' as const, ...places, dueAt: clock.now() };
        if (!(await generations.move(next.id, 'parked', change))) continue;
        calls -= 1;
        await jobs.wake(next.id);
        return next.accountId;
      }
      return null;
    },
  );
}

/** Decides anew what parked generations wait for where that was decided long ago, or never. */
async function recheckParked(deps: WorkDeps): Promise<void> {
  const { database, clock, routes } = deps;
  const { generations, jobs } = database;
  const now = clock.now();
  const found = await generations.findParkedCheckedBefore(now - checkedForMs, maxChecked);
  const checked = found.map((generation) => {
    const { id, model, attempts } = generation;
    const eligible = eligibleRoutes(routes.of(model), providerRequest(deps, generation), attempts);
    return { id, waitsFor: waitsForOf(deps, eligible) };
  });
  await generations.noteWaitsFor(checked);
  for (const { id, waitsFor } of checked) {
    if (waitsFor.providers.length > 0) continue;
    // No route is left: its job ends it.
    if (await generations.move(id, 'parked', { step: 'ready', dueAt: now })) await jobs.wake(id);
  }
}
