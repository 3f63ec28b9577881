import type { Log } from '@framegate/contract';
import { retry, whileStarting } from '../adapters/mongo/errors.ts';

/** The parts to stop at the end of a process. */
export interface Shutdown {
  /** Registers a part. */
  stopAtEnd: <T extends { stop(): unknown }>(part: T) => T;
  /** Waits for a part's first read of the database, and registers it. */
  refreshFirst: <T extends { refresh(): Promise<unknown>; stop(): unknown }>(part: T) => Promise<T>;
  /** Stops all parts, the newest first. Never throws. */
  close: () => Promise<void>;
}

/** @param log Names the parts that failed to stop. */
export function createShutdown(log: Log): Shutdown {
  const parts: { stop(): unknown }[] = [];
  const stopAtEnd: Shutdown['stopAtEnd'] = (part) => {
    parts.push(part);
    return part;
  };
  return {
    stopAtEnd,
    async refreshFirst(part) {
      await retry(() => part.refresh(), whileStarting);
      return stopAtEnd(part);
    },
    async close() {
      for (const part of parts.splice(0).reverse()) {
        try {
          await part.stop();
        } catch (error) {
          log.error({ error }, 'failed to stop cleanly');
        }
      }
    },
  };
}
