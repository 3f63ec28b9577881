import type { Log } from '@framegate/contract';
import { pause, withTimeLimit } from '@framegate/limits';
import type { DueWork, WorkStore, WorkWatch } from '../ports/upkeep.ts';

/** A worker's reactions to due work. */
export interface WorkHandlers {
  /** Runs due generation jobs, as many as there are slots for. */
  runDue(): Promise<void>;
  /** Polls due generations until the signal ends the round. */
  poll(signal: AbortSignal): Promise<void>;
  /** Sends due emails; absent without a mail server. */
  sendMails?: (signal: AbortSignal) => Promise<void>;
}

/** Interval of the checks of a worker that has found nothing and has no lease, in ms. */
const idleLookEveryMs = 500;
/** Time without due work after which a worker without the lease checks less often, in ms. */
const idleAfterMs = 5_000;
/** How overdue the lease holder's polls are when the others start to help, in ms. */
const helpAfterMs = 1_000;
/** Time limit of a round of polling or sending, in ms. */
const roundMs = 20_000;
/** Length of the lease, in ms; it is renewed after a third of that. */
export const defaultLeaseMs = 15_000;

/**
 * Checks for due work several times a second. Each worker runs due jobs; polls and emails belong to the lease holder,
 * so that idle workers put little load on the database. The lease only saves work: every poll and every email is
 * leased individually, and the others help with polls that the holder neglects.
 */
export function watchWork(
  deps: {
    work: WorkStore;
    log: Log;
    /** Whether this process may take work now. */
    mayWork(): boolean;
    /** Interval of checks with the lease or after work was found, in ms. */
    lookEveryMs: number;
    leaseMs?: number;
  },
  handlers: WorkHandlers,
): WorkWatch {
  const { work, log, lookEveryMs, leaseMs = defaultLeaseMs } = deps;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  /** Time by the monotonic clock, which keeps running while the process is suspended. */
  let heldUntil = -Infinity;
  let foundAt = -Infinity;
  let isInTrouble = false;

  const leads = () => performance.now() < heldUntil;

  async function keepLease({ isLeaseFree }: DueWork): Promise<void> {
    const nowMs = performance.now();
    const shouldRenew = leads() && heldUntil - nowMs < (leaseMs * 2) / 3;
    if (!shouldRenew && (leads() || !isLeaseFree)) return;
    heldUntil = (await work.acquireLease(leaseMs)) ? nowMs + leaseMs : -Infinity;
  }

  function begin(what: string, round: (signal: AbortSignal) => Promise<void>): void {
    if (underWay.has(what)) return;
    const running = withTimeLimit(roundMs, stopping.signal, round)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ error, what }, 'round of upkeep failed');
      })
      .finally(() => underWay.delete(what));
    underWay.set(what, running);
  }

  async function look(): Promise<void> {
    const dueWork = await work.findDue();
    if (dueWork.isRunDue) {
      foundAt = performance.now();
      // Not awaited: it takes as long as there are due jobs to lock.
      handlers.runDue().catch((error: unknown) => {
        log.warn({ error }, 'failed to run due jobs');
      });
    }
    await keepLease(dueWork);
    const { pollLateMs } = dueWork;
    if (pollLateMs !== null && (leads() || pollLateMs >= helpAfterMs)) {
      foundAt = performance.now();
      begin('poll', (signal) => handlers.poll(signal));
    }
    if (dueWork.areMailsDue && leads() && handlers.sendMails) begin('mail', handlers.sendMails);
  }

  async function tryToLook(): Promise<void> {
    if (!deps.mayWork()) return;
    try {
      await look();
      isInTrouble = false;
    } catch (error) {
      // Once, not several times a second during a database outage.
      if (!isInTrouble) log.warn({ error }, 'failed to query due work');
      isInTrouble = true;
    }
  }

  async function lookUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await tryToLook();
      const isBusy = leads() || performance.now() - foundAt < idleAfterMs;
      const everyMs = isBusy ? lookEveryMs : idleLookEveryMs;
      await pause(Math.max(10, everyMs - (performance.now() - startedAt)), stopping.signal);
    }
  }

  const looking = lookUntilStopped();
  return {
    leads,
    async stop() {
      stopping.abort(new Error('the process is stopping'));
      await looking;
      await Promise.all(underWay.values());
      if (!leads()) return;
      heldUntil = -Infinity;
      await work.releaseLease().catch((error: unknown) => {
        log.warn({ error }, 'failed to release the lease; it will expire');
      });
    },
  };
}
