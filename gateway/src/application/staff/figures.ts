import type { Clock } from '../ports/clock.ts';
import type { EndedFigure, Figures, ReadFigures } from './ports.ts';

/** Figures are at most so old, in ms. */
const keptMs = 4_000;

/** Keeps figures for a few seconds: however many people and scrapers look, the database is asked once. */
export function createFigures(read: ReadFigures, clock: Pick<Clock, 'now'>): ReadFigures {
  let known: { at: number; figures: Promise<Figures> } | null = null;
  return () => {
    const now = clock.now();
    if (known === null || now - known.at > keptMs) {
      const figures = read();
      known = { at: now, figures };
      figures.catch(() => (known = null));
    }
    return known.figures;
  };
}

/** How one model, or one route, has done lately. Durations in seconds, of what completed. */
export interface Performance {
  name: string;
  completed: number;
  failed: number;
  /** Null while nothing completed. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** Success and durations by what `nameOf` says; ends without a name are left out. */
export function performanceBy(
  ended: readonly EndedFigure[],
  nameOf: (end: EndedFigure) => string | null,
): Performance[] {
  const groups = Map.groupBy(ended, nameOf);
  return [...groups]
    .flatMap(([name, ends]) => (name === null ? [] : [performance(name, ends)]))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function performance(name: string, ends: readonly EndedFigure[]): Performance {
  const seconds = ends
    .filter(({ status }) => status === 'completed')
    .map((end) => end.seconds)
    .toSorted((a, b) => a - b);
  const at = (part: number) => seconds[Math.ceil(part * seconds.length) - 1] ?? null;
  const completed = seconds.length;
  const failed = ends.length - completed;
  return { name, completed, failed, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
