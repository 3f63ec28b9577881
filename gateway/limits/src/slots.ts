import { type Turn, type TurnBounds, type TurnCaller, Turns } from './turns.ts';

/** No slot was free in time, or too much work is waiting. */
export class NoFreeSlotError extends Error {
  override readonly name = 'NoFreeSlotError';
}

/** One kind of work, and how much of it a process does at a time. */
export interface KindOfWork extends TurnBounds {
  /** Longest wait for a slot, in ms. */
  maxWaitMs: number;
  /** Work of a lower rank comes first. */
  rank: number;
  /** Minimum time between two starts while work of a lower rank is running or has just ended, in ms. */
  minGapMs: number;
  /** Whether it begins before that time when the previous work of its kind has ended. */
  followsAtOnce?: boolean;
}

/** How long after its end work of a lower rank still counts as running, in ms: more of it is likely to come. */
const recentMs = 100;

/** A taken slot. */
export interface Slot {
  /** Whether the caller's own slots were all taken when it asked. */
  readonly isBehindOwn: boolean;
  /** Releases it. A second call does nothing. */
  leave(): void;
}

/** The slots of one process, by kind of work. */
export interface Slots<Kind extends string> {
  /**
   * Waits for a slot.
   * @param signal Ends the wait: an aborted caller leaves the queue.
   * @param waitMs Longest wait; that of the kind if absent.
   * @throws NoFreeSlotError; the signal's reason.
   */
  enter(kind: Kind, caller: TurnCaller, signal?: AbortSignal, waitMs?: number): Promise<Slot>;
  /** Takes a slot that is free now; null if there is none. */
  tryEnter(kind: Kind, caller: TurnCaller): Slot | null;
  /** How much work of a kind is running and waiting. */
  count(kind: Kind): { working: number; waiting: number };
}

/** The outcomes of waiting work. */
interface Waiter {
  begin(): void;
  refuse(): void;
}

/**
 * Creates the slots of one process: callers take turns in each kind, and kinds give way to those of a lower rank.
 */
export function createSlots<Kind extends string>(
  kinds: Readonly<Record<Kind, KindOfWork>>,
): Slots<Kind> {
  const rankedKinds = Object.entries<KindOfWork>(kinds)
    .toSorted(([, one], [, other]) => one.rank - other.rank)
    .map(([name, kind]) => ({
      name,
      kind,
      turns: new Turns(kind),
      startedAt: -Infinity,
      endedAt: -Infinity,
    }));
  type RankedKind = (typeof rankedKinds)[number];
  const kindsByName = new Map(rankedKinds.map((each) => [each.name, each]));
  const waiters = new Map<Turn, Waiter>();
  let timer: NodeJS.Timeout | undefined;

  /** How long a kind of work still yields to others, in ms. */
  function giveWayMs({
    kind: { rank, minGapMs, followsAtOnce },
    turns,
    startedAt,
  }: RankedKind): number {
    if (minGapMs === 0 || (followsAtOnce && turns.working === 0)) return 0;
    const nowMs = performance.now();
    const isUnderWay = rankedKinds.some(
      (each) =>
        each.kind.rank < rank && (each.turns.working > 0 || nowMs - each.endedAt < recentMs),
    );
    return isUnderWay ? startedAt + minGapMs - nowMs : 0;
  }

  function beginAll(): void {
    clearTimeout(timer);
    let againMs = Infinity;
    for (const each of rankedKinds) {
      while (each.turns.waiting > 0) {
        const ms = giveWayMs(each);
        if (ms > 0) againMs = Math.min(againMs, ms);
        const turn = ms > 0 ? null : each.turns.begin();
        if (!turn) break;
        each.startedAt = performance.now();
        waiters.get(turn)?.begin();
      }
    }
    if (againMs < Infinity) timer = setTimeout(beginAll, Math.ceil(againMs)).unref();
  }

  function rankedKindOf(name: Kind): RankedKind {
    const kind = kindsByName.get(name);
    if (!kind) throw new Error(`there is no kind of work ${name}`);
    return kind;
  }

  /** Queues a caller, and begins all work that may begin. */
  function ask(ranked: RankedKind, caller: TurnCaller, waiterOf: (slot: Slot) => Waiter) {
    const { turns } = ranked;
    const queued = turns.ask(caller);
    if (!queued) return null;
    const { turn, displaced } = queued;
    const slot: Slot = {
      isBehindOwn: turn.isBehindOwn,
      leave() {
        waiters.delete(turn);
        if (turn.state === 'over') return;
        if (turn.state === 'works') ranked.endedAt = performance.now();
        turns.leave(turn);
        beginAll();
      },
    };
    waiters.set(turn, waiterOf(slot));
    if (displaced) waiters.get(displaced)?.refuse();
    beginAll();
    return { slot, isBegun: turn.state === 'works' };
  }

  return {
    async enter(name, caller, signal, waitMs) {
      signal?.throwIfAborted();
      const ranked = rankedKindOf(name);
      const noSlot = () => new NoFreeSlotError(`no slot for ${name} became free in time`);
      const begun = Promise.withResolvers<Slot>();
      let end = (): void => undefined;
      const queued = ask(ranked, caller, (slot) => ({
        begin() {
          end();
          begun.resolve(slot);
        },
        refuse() {
          end();
          slot.leave();
          begun.reject(noSlot());
        },
      }));
      if (!queued) throw noSlot();
      const { slot, isBegun } = queued;
      if (isBegun) return slot;
      const giveUp = (error: unknown) => {
        end();
        slot.leave();
        begun.reject(error);
      };
      const stopWaiting = () => giveUp(signal?.reason);
      const maxMs = waitMs ?? ranked.kind.maxWaitMs;
      const late = maxMs < Infinity ? setTimeout(() => giveUp(noSlot()), maxMs) : undefined;
      signal?.addEventListener('abort', stopWaiting, { once: true });
      end = () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', stopWaiting);
      };
      return begun.promise;
    },
    tryEnter(name, caller) {
      const nothing = () => undefined;
      const queued = ask(rankedKindOf(name), caller, () => ({ begin: nothing, refuse: nothing }));
      if (queued?.isBegun) return queued.slot;
      queued?.slot.leave();
      return null;
    },
    count(name) {
      const { working, waiting } = rankedKindOf(name).turns;
      return { working, waiting };
    },
  };
}

/** Runs work of one kind with bounded concurrency, fairly between keys such as accounts. */
export interface KeyedLimiter {
  /** Amount of work waiting for a slot. */
  readonly waiting: number;
  /**
   * Runs work as soon as there is a slot. Keys take turns; the work of one key keeps its order.
   * @param work Its argument tells whether it waited for other work of its key.
   * @param signal Ends the wait; running work must observe it itself.
   * @param waitMs Longest wait; unlimited if absent.
   * @throws NoFreeSlotError; the signal's reason; the errors of `refuse` and `work`.
   */
  run<T>(
    key: string,
    work: (hasWaited: boolean) => Promise<T>,
    signal?: AbortSignal,
    waitMs?: number,
  ): Promise<T>;
}

/**
 * Creates a limiter.
 * @param options.maxPerKey Concurrent work of one key.
 * @param options.maxInAll Concurrent work in total; unbounded if absent.
 * @param options.queue How much work of one key may wait, and the error for more; unbounded if absent.
 */
export function createKeyedLimiter(options: {
  maxPerKey: number;
  maxInAll?: number;
  queue?: { max: number; refuse: () => Error };
}): KeyedLimiter {
  const { maxPerKey, maxInAll = Infinity, queue } = options;
  const kind = { maxPerCaller: maxPerKey, maxInAll, maxWaitingPerCaller: queue?.max ?? Infinity };
  const always = { maxWaiting: Infinity, maxWaitMs: Infinity, rank: 0, minGapMs: 0 };
  const all = createSlots({ work: { ...kind, ...always } });
  return {
    get waiting() {
      return all.count('work').waiting;
    },
    async run(key, work, signal, waitMs) {
      const caller = [{ group: key, times: 1 }] as const;
      const slot = await all.enter('work', caller, signal, waitMs).catch((error: unknown) => {
        throw error instanceof NoFreeSlotError && queue ? queue.refuse() : error;
      });
      try {
        return await work(slot.isBehindOwn);
      } finally {
        slot.leave();
      }
    },
  };
}
