import type { Log } from '@framegate/contract/log';
import type { Lease, RenderStore } from './renderStore.ts';
import type { runChild } from './runChild.ts';
import { describeFailure, type RenderResult } from './spec.ts';

/** Renewal interval of a lease, in ms: much shorter than the store's stale time. */
const heartbeatMs = 2_000;
/** Number of child crashes after which a request fails. */
const maxCrashes = 2;

/** Outcome of a queued render: a result, left to another process, or cancelled. */
export type QueueOutcome = RenderResult | 'elsewhere' | 'cancelled';

interface Entry {
  renderId: string;
  stop: AbortController;
  resolve: (outcome: QueueOutcome) => void;
  reject: (error: unknown) => void;
  outcome: Promise<QueueOutcome>;
}

/** The renders of this process, one at a time. */
export type RenderQueue = ReturnType<typeof createRenderQueue>;

/** Renders the store's requests one at a time, the oldest first, each in a child process. */
export function createRenderQueue(options: {
  store: RenderStore;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  maxRenderMs: number;
  runChild: typeof runChild;
}) {
  const { store, log, maxRenderMs, runChild } = options;
  const entries = new Map<string, Entry>();
  let current: Entry | null = null;
  let working = Promise.resolve();
  let isClosed = false;

  async function work(): Promise<void> {
    // No await between finding the queue empty and clearing `current`, so no entry is missed.
    while ((current = first(entries)) !== null) {
      try {
        current.resolve(await renderOne(current));
      } catch (error) {
        current.reject(error);
      }
      entries.delete(current.renderId);
    }
  }

  async function renderOne({ renderId, stop }: Entry): Promise<QueueOutcome> {
    while (!stop.signal.aborted) {
      const stored = await store.findResult(renderId);
      if (stored !== null) return stored;
      const lease = await store.acquireLease(renderId);
      if (lease === null) return 'elsewhere';
      const result = await renderLeased(lease, stop.signal);
      if (result !== null) return result;
    }
    return 'cancelled';
  }

  /** Runs one attempt. @returns The result, or null if it was stopped or may be retried. */
  async function renderLeased(lease: Lease, stop: AbortSignal): Promise<RenderResult | null> {
    const { renderId } = lease;
    const heartbeat = setInterval(() => {
      store.renewLease(lease).catch((error: unknown) => {
        log.warn({ renderId, error }, 'failed to renew the lease of a preview render');
      });
    }, heartbeatMs);
    try {
      const outcome = await runChild({
        folder: store.folderOf(renderId),
        outputFolder: lease.outputFolder,
        maxRenderMs,
        stop,
        onStart: (pid) => {
          log.info({ renderId, pid }, 'preview render started');
        },
      });
      if (outcome.kind === 'finished') return await finish(lease, outcome.result);
      if (outcome.kind !== 'stopped') {
        log.warn({ renderId, outcome }, 'preview render ended without a result');
        if ((await store.countCrash(renderId)) >= maxCrashes) {
          const reason = outcome.kind === 'crashed' ? 'the renderer crashed' : 'it took too long';
          return await finish(lease, { ok: false, error: describeFailure(new Error(reason)) });
        }
      }
      await store.releaseLease(lease);
      return null;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function finish(lease: Lease, result: RenderResult): Promise<RenderResult> {
    const stored = await store.finish(lease, result);
    log.info({ renderId: lease.renderId, ok: result.ok }, 'preview render finished');
    return stored;
  }

  return {
    /** Queues a request; repeated calls get the same outcome. */
    add(renderId: string): Promise<QueueOutcome> {
      const present = entries.get(renderId);
      if (present) return present.outcome;
      if (isClosed) return Promise.resolve('cancelled');
      const { promise, resolve, reject } = Promise.withResolvers<QueueOutcome>();
      entries.set(renderId, {
        renderId,
        stop: new AbortController(),
        resolve,
        reject,
        outcome: promise,
      });
      if (current === null) working = work();
      return promise;
    },

    /** Stops a render or removes it from the queue; its outcome is `cancelled`. */
    cancel(renderId: string): void {
      const entry = entries.get(renderId);
      if (!entry) return;
      entry.stop.abort();
      if (entry === current) return;
      entries.delete(renderId);
      entry.resolve('cancelled');
    },

    /** Stops all renders and waits for the child to end; another process can then continue immediately. */
    async close(): Promise<void> {
      isClosed = true;
      for (const renderId of [...entries.keys()]) this.cancel(renderId);
      await working;
    },
  };
}

function first(entries: ReadonlyMap<string, Entry>): Entry | null {
  return entries.values().next().value ?? null;
}
