import type { Generation } from '../generated/api.ts';
import type { Platform } from '../platform.ts';
import type { Output } from './io.ts';

const width = 24;
const redrawMs = 200;

/** A bar on a terminal that shows how far a generation is, as far as the service's hints tell. */
export interface Progress {
  update(generation: Generation): void;
  /** Of a download. */
  received(bytes: number, total: number | undefined): void;
  /** Takes the bar away. */
  end(): void;
}

/** Shows nothing where the output is not a terminal. */
export function showProgress(output: Output, { now }: Pick<Platform, 'now'>): Progress {
  if (output.isTTY !== true) {
    return { update: () => undefined, received: () => undefined, end: () => undefined };
  }
  const startedAt = now();
  let label = '';
  /** When the next look is due; the bar gets there by then. */
  let dueMs = 1;
  let share = 0;
  const draw = () => {
    const full = Math.round(share * width);
    const bar = '#'.repeat(full) + '-'.repeat(width - full);
    output.write(`\r[${bar}] ${label}, ${Math.round((now() - startedAt) / 1000)} s\u001b[K`);
  };
  const timer = setInterval(() => {
    // Never back, and never full before it has ended.
    share = Math.min(0.95, Math.max(share, (0.95 * (now() - startedAt)) / dueMs));
    draw();
  }, redrawMs);
  return {
    update({ id, status, retry_after_seconds: seconds }) {
      label = `${status} ${id}`;
      dueMs = now() - startedAt + 1000 * (seconds ?? 0) + 1;
      draw();
    },
    received(bytes, total) {
      label = `downloading, ${(bytes / 1e6).toFixed(1)} MB`;
      if (total !== undefined) share = bytes / total;
    },
    end() {
      clearInterval(timer);
      output.write('\r\u001b[K');
    },
  };
}
