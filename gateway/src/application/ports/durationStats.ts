import type { UsualDuration } from '../../domain/pollHint.ts';

/** What models have taken lately; kept in memory, made by workers. */
export interface DurationStats {
  usual(modelId: string): UsualDuration;
}
