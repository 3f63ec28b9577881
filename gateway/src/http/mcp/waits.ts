import { type GenerationRecord, isFinal } from '@framegate/contract';
import { pause, type Slot } from '@framegate/limits';
import type { Clock } from '../../application/ports/system.ts';

/** Interval of progress reports, in ms: some clients time out after 30 seconds of silence. */
const reportMs = 5_000;

/** One waiting call. */
export interface WaitingCall {
  /** Takes a slot for waits; null if none is free, and the call is answered immediately. */
  beginWait: () => Slot | null;
  timeoutMs: number;
  /** Aborted when the client disconnects. */
  disconnectSignal: AbortSignal;
  /** Reads the generation; null when the account's read allowance is used up. */
  read: () => Promise<GenerationRecord | null>;
  /**
   * Receives the state of the generation at the start, after each read and in between.
   * @param seconds Time since its creation, strictly increasing.
   */
  report: (record: GenerationRecord, seconds: number) => void;
}

/**
 * Creates a function that waits for a generation by polling at its hinted intervals. A wait ends when the
 * generation does, on timeout, when the client disconnects or when the process stops.
 * @param deps.stopSignal Aborted when the process stops.
 */
export function createWaits(deps: { clock: Pick<Clock, 'now'>; stopSignal: AbortSignal }) {
  /** @param first The generation at the start. @returns The generation as last read. */
  return async function wait(
    first: GenerationRecord,
    call: WaitingCall,
  ): Promise<GenerationRecord> {
    const slot = isFinal(first.status) ? null : call.beginWait();
    if (!slot) return first;
    const until = deps.clock.now() + call.timeoutMs;
    const signal = AbortSignal.any([deps.stopSignal, call.disconnectSignal]);
    let record = first;
    let reported = -Infinity;
    const report = () => {
      const seconds = (deps.clock.now() - Date.parse(record.created_at)) / 1000;
      if (seconds <= reported) return;
      reported = seconds;
      call.report(record, seconds);
    };
    const reporting = setInterval(report, reportMs);
    try {
      while (!isFinal(record.status)) {
        report();
        const left = until - deps.clock.now();
        if (left <= 0) break;
        await pause(Math.min(left, (record.retry_after_seconds ?? 1) * 1000), signal);
        if (signal.aborted) break;
        const next = await call.read();
        if (next === null) break;
        record = next;
      }
      return record;
    } finally {
      clearInterval(reporting);
      slot.leave();
    }
  };
}
