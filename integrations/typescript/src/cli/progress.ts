import type { Platform } from '../platform.ts';
import type { WaitProgress } from '../wait.ts';
import type { Output } from './io.ts';

const width = 24;
const redrawMs = 200;

/** Shows people how far a generation is. */
export interface Progress {
  update(reached: WaitProgress): void;
  /** Of a download. */
  received(bytes: number, total: number | undefined): void;
  /** Takes a bar away. */
  end(): void;
}

/**
 * A bar on a terminal; elsewhere a line for each new state.
 * @param how.isTold Whether lines of JSON tell the states already.
 */
export function showProgress(
  output: Output,
  { now, isTold }: Pick<Platform, 'now'> & { isTold: boolean },
): Progress {
  return output.isTTY === true ? bar(output, now) : lines(output, isTold);
}

function lines(output: Output, isTold: boolean): Progress {
  let last = '';
  return {
    update({ generation: { id, status } }) {
      const line = `${status} ${id}\n`;
      if (!isTold && line !== last) output.write(line);
      last = line;
    },
    received: () => undefined,
    end: () => undefined,
  };
}

function bar(output: Output, now: Platform['now']): Progress {
  let label = '';
  /** When the generation was created, on this clock. */
  let begunAt = now();
  let usualMs: number | undefined;
  let share = 0;
  const draw = () => {
    const full = Math.round(share * width);
    const drawn = '#'.repeat(full) + '-'.repeat(width - full);
    const usual = usualMs === undefined ? '' : ` of usually ${Math.round(usualMs / 1000)} s`;
    const seconds = Math.round((now() - begunAt) / 1000);
    output.write(`\r[${drawn}] ${label}, ${seconds} s${usual}\u001b[K`);
  };
  const timer = setInterval(() => {
    // Never back, and never full before it has ended.
    if (usualMs !== undefined) share = Math.min(0.95, Math.max(share, (now() - begunAt) / usualMs));
    draw();
  }, redrawMs);
  return {
    update({ generation: { id, status }, elapsedSeconds, usualSeconds, share: reached = 0 }) {
      label = `${status} ${id}`;
      begunAt = now() - 1000 * elapsedSeconds;
      usualMs = usualSeconds === undefined ? undefined : 1000 * usualSeconds;
      share = Math.max(share, reached);
      draw();
    },
    received(bytes, total) {
      label = `downloading, ${(bytes / 1e6).toFixed(1)} MB`;
      usualMs = undefined;
      if (total !== undefined) share = bytes / total;
    },
    end() {
      clearInterval(timer);
      output.write('\r\u001b[K');
    },
  };
}
