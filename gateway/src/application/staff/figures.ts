import { cachedAfterRead, createCachedReads } from '../cachedReads.ts';
import type {
  EndedFigure,
  EndFigures,
  FindEndFigures,
  FindOpenFigures,
  OpenFigures,
} from '../ports/figures.ts';
import type { Clock } from '../ports/system.ts';

/** How long figures are reused: this many ms, or this multiple of the time to load them. */
const cacheTimes = { minMs: 4_000, times: 20 };

/** Figures of the gateway, cached for the metrics and the console of one process. */
export interface FigureReaders {
  /** Loads the figures of the metrics. */
  loadOpen(): Promise<OpenFigures>;
  /** Loads the figures of the console's overview. */
  loadAll(): Promise<OpenFigures & EndFigures>;
}

/** Caches figures: one query serves all readers, and queries take at most a twentieth of the time. */
export function createFigures(
  loadOpen: FindOpenFigures,
  loadEnds: FindEndFigures,
  clock: Pick<Clock, 'now'>,
): FigureReaders {
  const [open, ends] = [shareResult(loadOpen, clock), shareResult(loadEnds, clock)];
  return {
    loadOpen: open,
    async loadAll() {
      const [openFigures, endFigures] = await Promise.all([open(), ends()]);
      return { ...openFigures, ...endFigures };
    },
  };
}

/** Creates a reader that reuses its result for a while, longer after a slow read. */
export function shareResult<T>(
  read: () => Promise<T>,
  clock: Pick<Clock, 'now'>,
): () => Promise<T> {
  const get = createCachedReads(clock, {
    max: 1,
    read,
    cachedUntil: (_key, startedAt, endedAt) => cachedAfterRead({ startedAt, endedAt }, cacheTimes),
  });
  return () => get('all');
}

/** Recent results of one model or one route. Durations in seconds, of completed generations. */
export interface Performance {
  name: string;
  completed: number;
  failed: number;
  /** Null if nothing completed. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** Success and durations by the name that `nameOf` returns; unnamed ends are left out. */
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
