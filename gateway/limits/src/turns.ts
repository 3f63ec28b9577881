/** Bounds of one kind of work in a process. */
export interface TurnBounds {
  /** Concurrent work of one caller, and of all. */
  maxPerCaller: number;
  maxInAll: number;
  /** Waiting work of one caller, in addition to its slots, and of all. */
  maxWaitingPerCaller: number;
  maxWaiting: number;
}

/** A name under which a caller is counted, and a multiple of the bounds of one caller. */
interface CountedGroup {
  group: string;
  times: number;
}

/** Who asks: an account under its id, an IPv6 address under its /64 and its /48; narrowest first. */
export type TurnCaller = readonly [CountedGroup, ...CountedGroup[]];

/** Work that waits or has begun. */
export interface Turn {
  readonly caller: TurnCaller;
  /** Whether the caller's own slots were all taken when it asked. */
  readonly isBehindOwn: boolean;
  state: 'waits' | 'works' | 'over';
}

/**
 * Decides whose work begins, without time or effects: within the bounds callers take turns, and the work of one caller
 * keeps its order. When all have left, nothing is remembered.
 */
export class Turns {
  readonly #bounds: TurnBounds;
  /** Work by group. */
  readonly #works = new Map<string, number>();
  /** Waiting turns by caller; the caller whose turn is next is first. */
  readonly #queues = new Map<string, Turn[]>();
  #working = 0;
  #waiting = 0;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  get working(): number {
    return this.#working;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Number of remembered names. */
  get remembered(): number {
    return this.#works.size + this.#queues.size;
  }

  /**
   * Queues a caller; `begin` tells when its work may begin.
   * @returns Null if the queue is full. If it is full overall, the caller with the longest queue loses its last turn
   * (`displaced`) to a caller with at least two fewer.
   */
  ask(caller: TurnCaller): { turn: Turn; displaced: Turn | null } | null {
    const [{ group }] = caller;
    const { maxPerCaller, maxWaitingPerCaller, maxWaiting } = this.#bounds;
    const waiting = this.#queues.get(group)?.length ?? 0;
    const own = waiting + (this.#works.get(group) ?? 0);
    if (own >= maxPerCaller + maxWaitingPerCaller) return null;
    const turn: Turn = { caller, isBehindOwn: own >= maxPerCaller, state: 'waits' };
    const begins = waiting === 0 && this.#hasSlot(turn);
    let displaced: Turn | null = null;
    if (this.#waiting >= maxWaiting && !begins) {
      displaced = this.#lastOfMost(waiting + 2);
      if (displaced === null) return null;
      this.leave(displaced);
    }
    const queue = this.#queues.get(group);
    if (queue) queue.push(turn);
    else this.#queues.set(group, [turn]);
    this.#waiting += 1;
    return { turn, displaced };
  }

  /** Begins the work whose turn it is. @returns Null if none may begin. */
  begin(): Turn | null {
    for (const [group, queue] of this.#queues) {
      const [turn] = queue;
      if (!turn || !this.#hasSlot(turn)) continue;
      this.#remove(turn);
      this.#yieldOf(group);
      this.#count(turn, 1);
      turn.state = 'works';
      return turn;
    }
    return null;
  }

  /** Releases the slot, or leaves the queue. A second call does nothing. */
  leave(turn: Turn): void {
    if (turn.state === 'waits') {
      this.#remove(turn);
    } else if (turn.state === 'works') {
      this.#count(turn, -1);
      this.#yieldOf(turn.caller[0].group);
    }
    turn.state = 'over';
  }

  #hasSlot({ caller }: Turn): boolean {
    const { maxPerCaller, maxInAll } = this.#bounds;
    const hasSlot = ({ group, times }: CountedGroup) =>
      (this.#works.get(group) ?? 0) < maxPerCaller * times;
    return this.#working < maxInAll && caller.every(hasSlot);
  }

  /** A caller that has just had a slot comes after all others. */
  #yieldOf(group: string): void {
    const queue = this.#queues.get(group);
    if (!queue) return;
    this.#queues.delete(group);
    this.#queues.set(group, queue);
  }

  #count({ caller }: Turn, by: 1 | -1): void {
    this.#working += by;
    for (const { group } of caller) {
      const count = (this.#works.get(group) ?? 0) + by;
      if (count > 0) this.#works.set(group, count);
      else this.#works.delete(group);
    }
  }

  #remove(turn: Turn): void {
    const [{ group }] = turn.caller;
    const queue = this.#queues.get(group) ?? [];
    queue.splice(queue.indexOf(turn), 1);
    if (queue.length === 0) this.#queues.delete(group);
    this.#waiting -= 1;
  }

  /** The last turn of the caller with the most waiting ones; null if those are fewer than the minimum. */
  #lastOfMost(min: number): Turn | null {
    let max: readonly Turn[] = [];
    for (const queue of this.#queues.values()) if (queue.length > max.length) max = queue;
    return max.length >= min ? (max.at(-1) ?? null) : null;
  }
}
