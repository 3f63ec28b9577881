import type { JobWork } from '../../../application/ports/staffQueries.ts';
import type { BreakerStore } from '../../../application/ports/upkeep.ts';
import { partOf } from '../../../domain/providers/breakerKeys.ts';
import { type Html, html, timestamp } from '../../pages/html.ts';

/** The reason why an unfinished generation waits, and until when; null once it has ended. */
export function waitOf(work: JobWork, breakers: Pick<BreakerStore, 'get'>): Html | null {
  const { step, attempts, deadlineAt } = work;
  if (step === 'ended') return null;
  const until = html` until ${timestamp(deadlineAt)}`;
  const { provider = 'a provider', finishedAt, fault } = attempts.at(-1) ?? {};
  if (step === 'waiting') return html`waits behind other generations of its account${until}`;
  if (step === 'ready') return html`starts as soon as a worker is free`;
  if (step === 'parked') return html`waits for ${parkedFor(work, breakers)}${until}`;
  if (step === 'submitting') return html`is being submitted to ${provider}`;
  if (finishedAt !== undefined) return html`fetches its files from ${provider}${until}`;
  return fault === undefined
    ? html`runs at ${provider}${until} at the latest`
    : html`${provider} is not responding (${fault}); polled${until}`;
}

/** The reason why no provider can take a parked generation. */
function parkedFor({ waitsFor }: JobWork, breakers: Pick<BreakerStore, 'get'>): string {
  const keys = waitsFor?.providers ?? [];
  const namesOf = (chosen: readonly string[]) =>
    [...new Set(chosen.map((key) => partOf(key).provider))].join(' or ');
  const isSpent = (key: string) => partOf(key).part.kind === 'budget';
  const free = keys.filter((key) => !isSpent(key) && breakers.get(key).openedAt === null);
  if (free.length > 0) return `a slot at ${namesOf(free)}`;
  const open = keys.filter((key) => !isSpent(key));
  if (open.length > 0) return `${namesOf(open)}, whose circuit is open,`;
  return keys.length > 0 ? `the next day's budget of ${namesOf(keys)}` : 'a provider';
}

/** Whether the job of this generation is scheduled for its deadline only; other events start it earlier. */
export const runsAtDeadline = ({ step }: Pick<JobWork, 'step'>): boolean =>
  step === 'waiting' || step === 'parked' || step === 'submitted';
