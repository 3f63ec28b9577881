import type { Clock, Log } from './ports/system.ts';
import type { PlaceStore, ReservedPlaces } from './ports/upkeep.ts';

/**
 * The part of the free places that a process reserves at once and fills without asking again; places
 * that are not filled after `goodForMs` are given back.
 */
const part = 10;
const goodForMs = 1_000;

/** Enforces the providers' `maxConcurrent` over all processes. */
export interface ProviderRoom {
  /**
   * Runs `write`, which writes down that a generation is with the provider, when there is a place for it.
   * @returns The result of `write`; false, without running it, when the provider is full.
   */
  enter(provider: string, max: number, write: () => Promise<boolean>): Promise<boolean>;
  /**
   * Gives the free places of a provider away, until there are none or none is wanted. What asks for it
   * meanwhile shares the next round.
   * @param give Calls one generation to a place, of the account whose turn it is after this one. It
   *   answers with its account; null when none waits.
   */
  fill(
    provider: string,
    max: number,
    give: (afterAccount: string) => Promise<string | null>,
  ): Promise<void>;
}

type Fill = Parameters<ProviderRoom['fill']>;

interface Waiting {
  max: number;
  write: () => Promise<boolean>;
  resolve: (entered: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/** Reserved places of a provider, while they are being filled. */
interface Open {
  reserved: ReservedPlaces;
  left: number;
  goodUntil: number;
  entering: Set<Promise<unknown>>;
}

/**
 * Makes the room of one process. Places are reserved for all that wait at one moment together, one
 * reservation at a time for each provider.
 */
export function createProviderRoom(places: PlaceStore, clock: Clock, log: Log): ProviderRoom {
  const waiting = new Map<string, Waiting[]>();
  const open = new Map<string, Open>();
  const closing = new Map<string, Promise<void>>();
  const filling = new Map<string, { now: Promise<void>; next: Promise<void> | null }>();

  async function release(provider: string, token: string, lastAccount?: string): Promise<void> {
    try {
      await places.release(provider, token, lastAccount);
    } catch (error) {
      log.warn({ error, provider }, 'reserved places were not given back: they will lapse');
    }
  }

  /** Gives back what is open once its last entry is written; until then it would be counted twice. */
  function close(provider: string): Promise<void> {
    const found = open.get(provider);
    if (found) {
      open.delete(provider);
      const closed = Promise.allSettled([...found.entering, closing.get(provider)])
        .then(() => release(provider, found.reserved.token))
        .finally(() => {
          if (closing.get(provider) === closed) closing.delete(provider);
        });
      closing.set(provider, closed);
    }
    return closing.get(provider) ?? Promise.resolve();
  }

  async function reserveFor(
    provider: string,
    { max }: Waiting,
    count: number,
  ): Promise<Open | null> {
    const found = open.get(provider);
    if (found && clock.now() <= found.goodUntil) return found;
    await close(provider);
    const reserved = await places.reserve(provider, max, (free) =>
      Math.max(count, Math.floor(free / part)),
    );
    if (!reserved) return null;
    const goodUntil = clock.now() + goodForMs;
    const opened = {
      reserved,
      left: reserved.count,
      goodUntil,
      entering: new Set<Promise<unknown>>(),
    };
    open.set(provider, opened);
    setTimeout(() => {
      if (open.get(provider) === opened) void close(provider);
    }, goodForMs).unref();
    return opened;
  }

  function begin(provider: string, found: Open, { write, resolve }: Waiting): void {
    found.left -= 1;
    const entering = write();
    found.entering.add(entering);
    const leave = () => found.entering.delete(entering);
    entering.then(leave, leave);
    resolve(entering);
    if (found.left === 0) void close(provider);
  }

  /** Serves all that wait for a provider, however many come meanwhile. */
  async function serve(provider: string, queue: Waiting[]): Promise<void> {
    for (let first = queue[0]; first; first = queue[0]) {
      try {
        const found = await reserveFor(provider, first, queue.length);
        if (found) {
          for (const each of queue.splice(0, found.left)) begin(provider, found, each);
        } else {
          for (const { resolve } of queue.splice(0)) resolve(false);
        }
      } catch (error) {
        for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    waiting.delete(provider);
  }

  async function fillOnce(...[provider, max, give]: Fill): Promise<void> {
    let account: string | null = '';
    while (account !== null) {
      if (!Number.isFinite(max)) {
        account = await give(account);
        continue;
      }
      const reserved = await places.reserve(provider, max, () => 1);
      if (!reserved) return;
      account = null;
      try {
        account = await give(reserved.lastAccount);
      } finally {
        await release(provider, reserved.token, account ?? undefined);
      }
    }
  }

  function beginFill(...fill: Fill): Promise<void> {
    const [provider] = fill;
    const round = { now: fillOnce(...fill), next: null };
    filling.set(provider, round);
    const over = () => {
      if (filling.get(provider) === round) filling.delete(provider);
    };
    round.now.then(over, over);
    return round.now;
  }

  return {
    async enter(provider, max, write) {
      if (!Number.isFinite(max)) return write();
      return new Promise((resolve, reject) => {
        const each = { max, write, resolve, reject };
        const queue = waiting.get(provider);
        if (queue) {
          queue.push(each);
          return;
        }
        const begun = [each];
        waiting.set(provider, begun);
        void serve(provider, begun);
      });
    },
    fill(...fill) {
      const round = filling.get(fill[0]);
      if (!round) return beginFill(...fill);
      round.next ??= round.now.catch(() => undefined).then(() => beginFill(...fill));
      return round.next;
    },
  };
}
