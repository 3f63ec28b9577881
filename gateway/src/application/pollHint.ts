import { pollHintSeconds } from '../domain/pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { GenerationView } from './ports/generationStore.ts';
import type { Random } from './ports/random.ts';

/** How long to wait before the next poll, in seconds; null when there is nothing more to wait for. */
export function pollHintFor(
  deps: { clock: Clock; random: Random; durations: DurationStats },
  view: Pick<
    GenerationView,
    'type' | 'model' | 'parameters' | 'status' | 'createdAt' | 'startedAt'
  >,
): number | null {
  if (view.status === 'completed' || view.status === 'failed') return null;
  const now = deps.clock.now();
  const secondsSince = (at: number) => Math.max(0, (now - at) / 1000);
  return pollHintSeconds(
    view.type,
    deps.durations.usual(view.model, view.parameters).plan(),
    {
      age: secondsSince(view.createdAt),
      running: view.startedAt === null ? 0 : secondsSince(view.startedAt),
    },
    deps.random.fraction(),
  );
}
