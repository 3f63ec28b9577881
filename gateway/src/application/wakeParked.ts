import { admits } from '../domain/breaker.ts';
import type { WorkDeps } from './workDeps.ts';

const lookedAtAtMost = 500;

/**
 * Starts parked generations where their providers have room again and are in service (or due for a
 * probe, which takes one), fairly between accounts: first the
 * account with the fewest at providers, then the oldest.
 */
export async function wakeParked({ database, clock, routes, breakers }: WorkDeps): Promise<void> {
  const parked = await database.generations.findParked(lookedAtAtMost);
  if (parked.length === 0) return;
  const used = await database.generations.countWithProviders();
  const accounts = [...new Set(parked.map(({ accountId }) => accountId))];
  const having = await database.generations.countWithProvidersByAccount(accounts);
  const waiting = new Set(parked);
  const probed = new Set<string>();
  while (waiting.size > 0) {
    let next: (typeof parked)[number] | undefined;
    for (const each of waiting) {
      const fewer = (having.get(each.accountId) ?? 0) < (having.get(next?.accountId ?? '') ?? 0);
      if (!next || fewer) next = each;
    }
    if (!next) return;
    waiting.delete(next);
    const free = routes.of(next.model).find(({ provider, maxConcurrent }) => {
      const admitted = admits(breakers.of(provider), clock.now());
      if (admitted === 'no' || (admitted === 'probe' && probed.has(provider))) return false;
      return (used.get(provider) ?? 0) < maxConcurrent;
    });
    if (!free) continue;
    probed.add(free.provider);
    const now = clock.now();
    if (!(await database.generations.move(next.id, 'parked', { step: 'ready', dueAt: now })))
      continue;
    used.set(free.provider, (used.get(free.provider) ?? 0) + 1);
    having.set(next.accountId, (having.get(next.accountId) ?? 0) + 1);
    await database.jobs.wake(next.id);
  }
}
