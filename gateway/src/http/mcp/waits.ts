import { isFinal, type GenerationRecord } from '@framegate/contract';
import type { Clock } from '../../application/ports/system.ts';
import { pause } from '../../application/ports/concurrency.ts';

/** Calls that wait at a time, of one account and in all; beyond them a call answers at once. */
export const maxWaits = { perAccount: 10, inAll: 1_000 };

/** How often a call that waits is told so, in ms: some clients give up after 30 seconds of silence. */
const tellMs = 5_000;

/** One call that waits. */
export interface Wait {
  accountId: string;
  timeoutMs: number;
  /** Aborted when the caller has gone. */
  gone: AbortSignal;
  /** Reads the generation; null when the account may read no more for now. */
  read: () => Promise<GenerationRecord | null>;
  /**
   * Told at the beginning, after each look and in between how the generation stands.
   * @param seconds Since its create; more each time.
   */
  tell: (record: GenerationRecord, seconds: number) => void;
}

/**
 * Waits for generations by reading them when their own hints say so. A wait ends with the generation, after
 * its time, with its caller or with the process, and always has the generation as it was last read.
 * @param deps.stopping Aborted when the process stops.
 */
export function createWaits(deps: { clock: Pick<Clock, 'now'>; stopping: AbortSignal }) {
  const open = new Map<string, number>();
  let inAll = 0;

  function enter(accountId: string): boolean {
    const own = open.get(accountId) ?? 0;
    if (own >= maxWaits.perAccount || inAll >= maxWaits.inAll) return false;
    open.set(accountId, own + 1);
    inAll += 1;
    return true;
  }

  function leave(accountId: string): void {
    const own = (open.get(accountId) ?? 0) - 1;
    if (own > 0) open.set(accountId, own);
    else open.delete(accountId);
    inAll -= 1;
  }

  /** @param first The generation as it was read before. */
  return async function wait(first: GenerationRecord, call: Wait): Promise<GenerationRecord> {
    if (isFinal(first.status) || !enter(call.accountId)) return first;
    const until = deps.clock.now() + call.timeoutMs;
    const signal = AbortSignal.any([deps.stopping, call.gone]);
    let record = first;
    let told = -Infinity;
    const tell = () => {
      const seconds = (deps.clock.now() - Date.parse(record.created_at)) / 1000;
      if (seconds <= told) return;
      told = seconds;
      call.tell(record, seconds);
    };
    const telling = setInterval(tell, tellMs);
    try {
      while (!isFinal(record.status)) {
        tell();
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
      clearInterval(telling);
      leave(call.accountId);
    }
  };
}
