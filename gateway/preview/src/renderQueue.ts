import type { Claim, RenderStore } from './renderStore.ts';
import type { runChild } from './runChild.ts';
import { failureText, type RenderResult } from './spec.ts';

/** The part of a pino logger that the renderer uses. */
export type Log = Record<'info' | 'warn' | 'error', (data: object, message: string) => void>;

/** Interval in which a claim is renewed while its render runs, ms: well within the store's stale time. */
const heartbeatMs = 2_000;
/** Number of crashes of its child after which a request fails. */
const maxCrashes = 2;

/** How a queued render ended: with a result, left to another process, or cancelled here. */
export type QueueOutcome = RenderResult | 'elsewhere' | 'cancelled';

type Entry = {
  readonly renderId: string;
  readonly stop: AbortController;
  readonly resolve: (outcome: QueueOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly outcome: Promise<QueueOutcome>;
};

export type RenderQueue = ReturnType<typeof createRenderQueue>;

/** Renders requests of the store one after another in the order of their arrival, each in a child process. */
export function createRenderQueue(options: {
  readonly store: RenderStore;
  readonly log: Log;
  readonly maxRenderMs: number;
  readonly runChild: typeof runChild;
}) {
  const { store, log, maxRenderMs, runChild } = options;
  const entries = new Map<string, Entry>();
  let current: Entry | null = null;
  let working = Promise.resolve();
  let closed = false;

  async function work(): Promise<void> {
    // No await between seeing the queue empty and `current` being null: no entry is left over.
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
      const known = await store.result(renderId);
      if (known !== null) return known;
      const claim = await store.claim(renderId);
      if (claim === null) return 'elsewhere';
      const result = await renderClaimed(claim, stop.signal);
      if (result !== null) return result;
    }
    return 'cancelled';
  }

  /** One attempt: a result, or null when it was stopped or may be tried again. */
  async function renderClaimed(claim: Claim, stop: AbortSignal): Promise<RenderResult | null> {
    const { renderId } = claim;
    const heartbeat = setInterval(() => {
      store.renewClaim(claim).catch((error: unknown) => {
        log.warn({ renderId, err: error }, 'preview render: the claim could not be renewed');
      });
    }, heartbeatMs);
    try {
      const outcome = await runChild({
        folder: store.folderOf(renderId),
        outputFolder: claim.outputFolder,
        maxRenderMs,
        stop,
        onStart: (pid) => {
          log.info({ renderId, pid }, 'preview render started');
        },
      });
      if (outcome.kind === 'finished') return await finish(claim, outcome.result);
      if (outcome.kind !== 'stopped') {
        log.warn({ renderId, outcome }, 'preview render ended without a result');
        if ((await store.countCrash(renderId)) >= maxCrashes) {
          const reason = outcome.kind === 'crashed' ? 'the renderer crashed' : 'it took too long';
          return await finish(claim, { ok: false, error: failureText(new Error(reason)) });
        }
      }
      await store.releaseClaim(claim);
      return null;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function finish(claim: Claim, result: RenderResult): Promise<RenderResult> {
    const kept = await store.finish(claim, result);
    log.info({ renderId: claim.renderId, ok: result.ok }, 'preview render finished');
    return kept;
  }

  return {
    /** Renders a request when its turn comes; the same request again gets the same outcome. */
    add(renderId: string): Promise<QueueOutcome> {
      const present = entries.get(renderId);
      if (present) return present.outcome;
      if (closed) return Promise.resolve('cancelled');
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

    /** Ends a render or removes it from the queue; its outcome is `cancelled`. */
    cancel(renderId: string): void {
      const entry = entries.get(renderId);
      if (!entry) return;
      entry.stop.abort();
      if (entry === current) return;
      entries.delete(renderId);
      entry.resolve('cancelled');
    },

    /** Ends all renders here and waits for the end of the child; another process may then continue at once. */
    async close(): Promise<void> {
      closed = true;
      for (const renderId of [...entries.keys()]) this.cancel(renderId);
      await working;
    },
  };
}

function first(entries: ReadonlyMap<string, Entry>): Entry | null {
  return entries.values().next().value ?? null;
}
