import type { WorkState } from './work.ts';

/**
 * How well a model can be served: `delayed` if all its routes are paused, `unavailable` once create requests
 * are refused.
 */
export type ModelHealth = 'good' | 'delayed' | 'unavailable';

/**
 * The phase of an unfinished generation, as its customer sees it.
 * - `queued`: behind other generations of the account.
 * - `waiting`: for a free slot at its model.
 * - `held up`: no provider of its model takes orders.
 * - `starting`: about to be ordered.
 * - `running`: being made. Images are made within the call that orders them.
 * - `out of sight`: ordered, but the provider does not respond.
 * - `fetching`: made; its files are being fetched.
 */
export type Phase =
  'queued' | 'waiting' | 'held up' | 'starting' | 'running' | 'out of sight' | 'fetching';

/** @param health The health of its model. */
export function phaseOf({ step, attempts }: WorkState, health: ModelHealth): Phase {
  if (step === 'waiting') return 'queued';
  if (step === 'parked') return health === 'good' ? 'waiting' : 'held up';
  const { outcome, finishedAt, arrived, fault } = attempts.at(-1) ?? {};
  if (step === 'submitting' && outcome === 'open') return 'running';
  if (step !== 'submitted') return 'starting';
  if (finishedAt !== undefined || arrived !== undefined) return 'fetching';
  return fault === undefined ? 'running' : 'out of sight';
}

/** Whether its owner may cancel it: no provider has received the order or, after an unknown outcome, might have it. */
export function isUnordered({ step, attempts }: WorkState): boolean {
  const isWaiting = step === 'waiting' || step === 'ready' || step === 'parked';
  return isWaiting && attempts.every(({ outcome }) => outcome === 'refused');
}
