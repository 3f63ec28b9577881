import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

interface Timer {
  at: number;
  /** Order of timers that are due at the same time. */
  turn: number;
  run: () => void;
  everyMs?: number;
}

/** The clock that steps. */
export type SteppedClock = 'database' | 'all';

/** Time of a simulated world, independent of the machine. All values in ms. */
export interface VirtualTime {
  /** The monotonic clock, which never steps. */
  now(): number;
  /** The wall clock of the gateway's machine. */
  wallNow(): number;
  /** The clock of the database server. */
  databaseNow(): number;
  /** Sets a clock ahead, or back with a negative value: the database's alone, or those of all machines. */
  advance(whose: SteppedClock, ms: number): void;
  /** Sets the database's clock to the time of the others. */
  correct(): void;
  /** Does the database's work, with `Date.now` as the database's own clock. */
  atDatabase<T>(work: () => T): T;
  pause(ms: number): Promise<void>;
  /** Lets time pass until the work is done. @throws Error if nothing can finish it any more. */
  run<T>(work: Promise<T>): Promise<T>;
}

const turnOfLoop = setImmediate;

/** Start of all schedules, in ms since the epoch. */
const startedAt = Date.UTC(2026, 0, 15, 12);
/** Number of timers after which a schedule counts as endless. */
const maxTimers = 200_000;

/**
 * Puts all timers, clocks and `Math.random` of this process under the control of the caller, until `restore` is called:
 * two runs with the same `fraction` do the same in the same order.
 */
export function takeOverTime(fraction: () => number): VirtualTime & { restore(): void } {
  let nowMs = 1_000;
  let [wallStepped, databaseAhead] = [0, 0];
  let isAtDatabase = false;
  let turns = 0;
  const timers = new Map<number, Timer>();
  const add = (ms: number, run: () => void, everyMs?: number) => {
    const turn = (turns += 1);
    const at = nowMs + Math.max(0, Number.isFinite(ms) ? ms : 0);
    timers.set(turn, { at, turn, run, ...(everyMs !== undefined && { everyMs }) });
    const handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      close: () => void timers.delete(turn),
      [Symbol.toPrimitive]: () => turn,
      [Symbol.dispose]: () => void timers.delete(turn),
    };
    return handle;
  };
  const remove = (handle?: unknown) => {
    if (handle !== null && handle !== undefined) timers.delete(Number(handle));
  };
  const pause = (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = add(ms, () => resolve(value));
      signal?.addEventListener('abort', () => {
        remove(timer);
        reject(signal.reason as Error);
      });
    });
  const timeout = (ms: number) => {
    const controller = new AbortController();
    add(ms, () => controller.abort(new DOMException('late', 'TimeoutError')));
    return controller.signal;
  };
  const wallNow = () => Math.floor(startedAt + nowMs + wallStepped);
  const databaseNow = () => wallNow() + databaseAhead;

  const undo: (() => void)[] = [];
  const replace = (object: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
    undo.push(() => {
      if (before) Object.defineProperty(object, name, before);
      else Reflect.deleteProperty(object, name);
    });
  };
  type Run = (...args: unknown[]) => void;
  replace(globalThis, 'setTimeout', (run: Run, ms = 0, ...args: unknown[]) =>
    add(ms, () => run(...args)),
  );
  replace(globalThis, 'setInterval', (run: Run, ms = 1, ...args: unknown[]) =>
    add(ms, () => run(...args), Math.max(1, ms)),
  );
  replace(globalThis, 'setImmediate', (run: Run, ...args: unknown[]) => add(0, () => run(...args)));
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
    replace(globalThis, name, remove);
  }
  replace(performance, 'now', () => nowMs);
  replace(Date, 'now', () => (isAtDatabase ? databaseNow() : wallNow()));
  replace(Math, 'random', fraction);
  replace(AbortSignal, 'timeout', timeout);
  replace(timersPromises, 'setTimeout', pause);
  syncBuiltinESMExports();

  function fireNext(): boolean {
    let next: Timer | undefined;
    for (const timer of timers.values()) if (!next || timer.at < next.at) next = timer;
    if (!next) return false;
    nowMs = Math.max(nowMs, next.at);
    if (next.everyMs === undefined) timers.delete(next.turn);
    else next.at = nowMs + next.everyMs;
    next.run();
    return true;
  }

  return {
    now: () => nowMs,
    wallNow,
    databaseNow,
    advance(whose, ms) {
      if (whose === 'all') wallStepped += ms;
      else databaseAhead += ms;
    },
    correct: () => void (databaseAhead = 0),
    atDatabase(work) {
      isAtDatabase = true;
      try {
        return work();
      } finally {
        isAtDatabase = false;
      }
    },
    pause: async (ms) => {
      await pause(ms);
    },
    async run(work) {
      let isDone = false;
      const end = () => void (isDone = true);
      void work.then(end, end);
      for (let fired = 0; ; fired += 1) {
        await new Promise((resolve) => turnOfLoop(resolve));
        if (isDone as boolean) return work;
        if (fired > maxTimers) throw new Error('it does not end');
        if (!fireNext()) throw new Error('all wait, and nothing can happen any more');
      }
    },
    restore() {
      for (const each of undo.toReversed()) each();
      syncBuiltinESMExports();
    },
  };
}
