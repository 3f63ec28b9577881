import { pollHintSeconds } from '../domain/pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { GenerationView } from './ports/generationStore.ts';
import type { Random } from './ports/random.ts';

/** How long to wait before the next poll, in seconds; null when there is nothing more to wait for. */
export function pollHintFor(
  deps: { clock: Clock; random: Random; durations: DurationStats },
  view: Pick<GenerationView, 'type' | 'model' | 'status' | 'createdAt'>,
): number | null {
  if (view.status === 'completed' || view.status === 'failed') return null;
  const ageSeconds = Math.max(0, (deps.clock.now() - view.createdAt) / 1000);
  return pollHintSeconds(
    view.type,
    deps.durations.usual(view.model),
    ageSeconds,
    deps.random.fraction(),
  );
}
