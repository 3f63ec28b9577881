import type { Log } from '@framegate/contract';
import type { Clock } from '../../ports/system.ts';
import type { ReservedSlots, SlotLimit, SlotStore } from '../../ports/upkeep.ts';

/**
 * The share of the free slots that a process reserves at once and fills without asking again; unfilled
 * slots are returned after `goodForMs`.
 */
const reservedShare = 0.1;
const goodForMs = 1_000;

/** Enforces the limits of providers and routes, concurrent and per minute, across all processes. */
export interface ProviderCapacity {
  /**
   * Runs `write`, which records that a generation occupies a slot within the limit, if there is one for it.
   * @returns The result of `write`; false, without running it, if the limit is reached.
   */
  enter(slotLimit: SlotLimit, write: () => Promise<boolean>): Promise<boolean>;
  /**
   * Assigns the slots that are free within all the given limits, until none is left or wanted. Requests made meanwhile
   * share the next round.
   * @param assign Assigns a slot to one generation of the account whose turn follows this one. Returns that account;
   * null if none waits.
   */
  fill(
    slotLimits: readonly SlotLimit[],
    assign: (afterAccount: string) => Promise<string | null>,
  ): Promise<void>;
}

type Fill = Parameters<ProviderCapacity['fill']>;

const isLimited = ({ max, startsPerMinute }: SlotLimit) =>
  Number.isFinite(max) || startsPerMinute !== undefined;

interface WaitingWrite {
  slotLimit: SlotLimit;
  write: () => Promise<boolean>;
  resolve: (entered: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/** Reserved slots within a limit that are still being filled. */
interface OpenSlots {
  slotLimit: SlotLimit;
  reserved: ReservedSlots;
  left: number;
  goodUntil: number;
  entering: Set<Promise<unknown>>;
}

interface LimitReservation {
  slotLimit: SlotLimit;
  reserved: ReservedSlots;
}

/** Names a round by its limits; equal rounds are shared. */
const roundKey = ([slotLimits]: Fill) => slotLimits.map(({ key }) => key).join('|');

/**
 * Creates the capacity of one process. Slots are reserved for all current waiters together, one reservation at a time
 * per limit.
 */
export function createProviderCapacity(store: SlotStore, clock: Clock, log: Log): ProviderCapacity {
  const waiting = new Map<string, WaitingWrite[]>();
  const openSlots = new Map<string, OpenSlots>();
  const closing = new Map<string, Promise<void>>();
  const filling = new Map<string, { current: Promise<void>; next: Promise<void> | null }>();

  async function release(...reservation: Parameters<SlotStore['release']>): Promise<void> {
    try {
      await store.release(...reservation);
    } catch (error) {
      // Only warnings and errors may name a model of a provider.
      const [{ key }] = reservation;
      log.warn({ error, limit: key }, 'failed to release reserved slots; they will expire');
    }
  }

  /** Returns open slots once the last entry is written; before that it would be counted twice. */
  function close(key: string): Promise<void> {
    const slots = openSlots.get(key);
    if (slots) {
      openSlots.delete(key);
      const closure = Promise.allSettled([...slots.entering, closing.get(key)])
        .then(() => release(slots.slotLimit, slots.reserved, { unused: slots.left }))
        .finally(() => {
          if (closing.get(key) === closure) closing.delete(key);
        });
      closing.set(key, closure);
    }
    return closing.get(key) ?? Promise.resolve();
  }

  async function reserveFor(
    key: string,
    { slotLimit }: WaitingWrite,
    count: number,
  ): Promise<OpenSlots | null> {
    const present = openSlots.get(key);
    if (present && clock.now() <= present.goodUntil) return present;
    await close(key);
    // A start counts from its reservation, so nothing is reserved ahead.
    const reserved = await store.reserve(slotLimit, (free) =>
      slotLimit.startsPerMinute === undefined
        ? Math.max(count, Math.floor(free * reservedShare))
        : count,
    );
    if (!reserved) return null;
    const goodUntil = clock.now() + goodForMs;
    const opening = {
      slotLimit,
      reserved,
      left: reserved.count,
      goodUntil,
      entering: new Set<Promise<unknown>>(),
    };
    openSlots.set(key, opening);
    setTimeout(() => {
      if (openSlots.get(key) === opening) void close(key);
    }, goodForMs).unref();
    return opening;
  }

  function begin(key: string, slots: OpenSlots, { write, resolve }: WaitingWrite): void {
    slots.left -= 1;
    const entering = write();
    slots.entering.add(entering);
    const leave = () => slots.entering.delete(entering);
    entering.then(leave, leave);
    resolve(entering);
    if (slots.left === 0) void close(key);
  }

  /** Serves all waiters at a limit, including later arrivals. */
  async function serve(key: string, queue: WaitingWrite[]): Promise<void> {
    for (let first = queue[0]; first; first = queue[0]) {
      try {
        const slots = await reserveFor(key, first, queue.length);
        if (slots) {
          for (const each of queue.splice(0, slots.left)) begin(key, slots, each);
        } else {
          for (const { resolve } of queue.splice(0)) resolve(false);
        }
      } catch (error) {
        for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    waiting.delete(key);
  }

  /** Reserves a slot within every limit; reserves none and returns null if one is full. */
  async function reserveEach(slotLimits: readonly SlotLimit[]): Promise<LimitReservation[] | null> {
    const reservations: LimitReservation[] = [];
    for (const slotLimit of slotLimits.filter(isLimited)) {
      const reserved = await store.reserve(slotLimit, () => 1);
      if (!reserved) {
        for (const each of reservations) {
          await release(each.slotLimit, each.reserved, { unused: 1 });
        }
        return null;
      }
      reservations.push({ slotLimit, reserved });
    }
    return reservations;
  }

  async function fillOnce(...[slotLimits, assign]: Fill): Promise<void> {
    let account: string | null = '';
    while (account !== null) {
      const reservations = await reserveEach(slotLimits);
      if (!reservations) return;
      const after: string = reservations[0]?.reserved.lastAccount ?? account;
      account = null;
      try {
        account = await assign(after);
      } finally {
        const result = account === null ? { unused: 1 } : { lastAccount: account };
        for (const { slotLimit, reserved } of reservations) {
          await release(slotLimit, reserved, result);
        }
      }
    }
  }

  function beginFill(...fill: Fill): Promise<void> {
    const key = roundKey(fill);
    const round = { current: fillOnce(...fill), next: null };
    filling.set(key, round);
    const endHold = () => {
      if (filling.get(key) === round) filling.delete(key);
    };
    round.current.then(endHold, endHold);
    return round.current;
  }

  return {
    async enter(slotLimit, write) {
      if (!isLimited(slotLimit)) return write();
      const { key } = slotLimit;
      return new Promise((resolve, reject) => {
        const each = { slotLimit, write, resolve, reject };
        const queue = waiting.get(key);
        if (queue) {
          queue.push(each);
          return;
        }
        const begun = [each];
        waiting.set(key, begun);
        void serve(key, begun);
      });
    },
    fill(...fill) {
      const round = filling.get(roundKey(fill));
      if (!round) return beginFill(...fill);
      round.next ??= round.current.catch(() => undefined).then(() => beginFill(...fill));
      return round.next;
    },
  };
}
