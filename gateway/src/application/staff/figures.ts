import type { Clock } from '../ports/system.ts';
import type {
  EndedFigure,
  EndFigures,
  OpenFigures,
  FindEndFigures,
  FindOpenFigures,
} from '../ports/database.ts';

/** Figures are reused for this time, in ms, or for this multiple of the time that loading them took. */
const kept = { leastMs: 4_000, times: 20 };

/** The figures of a gateway, cached for the metrics and the console of one process. */
export interface FigureReaders {
  /** The figures of the metrics. */
  loadOpen(): Promise<OpenFigures>;
  /** What the console's overview shows. */
  loadAll(): Promise<OpenFigures & EndFigures>;
}

/**
 * Caches figures: the database is queried once for all readers, and for a twentieth of the time at
 * most.
 */
export function createFigures(
  loadOpen: FindOpenFigures,
  loadEnds: FindEndFigures,
  clock: Pick<Clock, 'now'>,
): FigureReaders {
  const [open, ends] = [keepFor(loadOpen, clock), keepFor(loadEnds, clock)];
  return {
    loadOpen: open,
    async loadAll() {
      const [openFigures, endFigures] = await Promise.all([open(), ends()]);
      return { ...openFigures, ...endFigures };
    },
  };
}

/** Makes a reader that reuses what it read for a while: the longer reading took, the longer. */
export function keepFor<T>(read: () => Promise<T>, clock: Pick<Clock, 'now'>): () => Promise<T> {
  let known: { until: number; figures: Promise<T> } | null = null;
  return () => {
    const begunAt = clock.now();
    if (known !== null && begunAt <= known.until) return known.figures;
    const reading = { until: Infinity, figures: read() };
    known = reading;
    reading.figures.then(
      () => {
        const tookMs = clock.now() - begunAt;
        reading.until = begunAt + Math.max(kept.leastMs, kept.times * tookMs);
      },
      () => (known = null),
    );
    return reading.figures;
  };
}

/** Recent results of one model or one route. Durations in seconds, of completed generations. */
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
