import type { Platform } from '../platform.ts';
import type { WaitProgress } from '../wait.ts';
import type { Output } from './io.ts';

const width = 24;
const redrawMs = 200;

/** Shows people the progress of a generation. */
export interface Progress {
  update(reached: WaitProgress): void;
  /** Records the progress of a download. */
  recordReceived(bytes: number, total: number | undefined): void;
  /** Removes a bar. */
  end(): void;
}

/**
 * A bar on a terminal; elsewhere a line for each new state.
 * @param how.isTold Whether lines of JSON already report the states.
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
    recordReceived: () => undefined,
    end: () => undefined,
  };
}

function bar(output: Output, now: Platform['now']): Progress {
  let label = '';
  /** When the generation was created, on this clock. */
  let startedAt = now();
  let usualMs: number | undefined;
  let share = 0;
  const draw = () => {
    const usual = usualMs === undefined ? '' : `, usually ${Math.round(usualMs / 1000)} s`;
    const seconds = Math.round((now() - startedAt) / 1000);
    output.write(drawBar(share, `${label}, ${seconds} s${usual}`));
  };
  const timer = setInterval(() => {
    // Never moves back, and is never full before the end.
    if (usualMs !== undefined) {
      share = Math.min(0.95, Math.max(share, (now() - startedAt) / usualMs));
    }
    draw();
  }, redrawMs);
  return {
    update({ generation: { id, status }, elapsedSeconds, usualSeconds, ...reached }) {
      const place = reached.position === undefined ? '' : `, number ${reached.position} in line`;
      label = `${status} ${id}${place}`;
      startedAt = now() - 1000 * elapsedSeconds;
      usualMs = usualSeconds === undefined ? undefined : 1000 * usualSeconds;
      share = Math.max(share, reached.share ?? 0);
      draw();
    },
    recordReceived(bytes, total) {
      label = `downloading, ${(bytes / 1e6).toFixed(1)} MB`;
      usualMs = undefined;
      if (total !== undefined) share = bytes / total;
    },
    end() {
      clearInterval(timer);
      output.write(nothing);
    },
  };
}

const nothing = '\r\u001b[K';

/** A bar that replaces its own line. @param share From 0 to 1. */
function drawBar(share: number, label: string): string {
  const full = Math.round(share * width);
  return `\r[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${label}\u001b[K`;
}

/** Shows people how much of a batch is done: a bar below the lines of its rows. */
export interface BatchProgress {
  /** Prints the line of a finished row. */
  recordEnded(print: () => void): void;
  /** Removes the bar. */
  end(): void;
}

/** A bar on a terminal, and nothing elsewhere. @param rows.done Rows of earlier runs. */
export function showBatch(output: Output, rows: { done: number; all: number }): BatchProgress {
  let { done } = rows;
  const isShown = output.isTTY === true;
  const draw = () => {
    if (isShown) output.write(drawBar(done / rows.all, `${done} of ${rows.all} rows`));
  };
  const end = () => {
    if (isShown) output.write(nothing);
  };
  draw();
  return {
    recordEnded(print) {
      end();
      print();
      done += 1;
      draw();
    },
    end,
  };
}
