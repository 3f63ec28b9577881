/** Bytes of one user, taken from the shared budget. */
export interface Hold {
  /**
   * Takes more bytes; waits until there is room.
   * @throws Error if the hold was released.
   */
  take(bytes: number): Promise<void>;
  /** Returns all taken bytes. */
  release(): void;
}

/** A shared amount of memory, in bytes. */
export interface ByteBudget {
  /** Bytes in use. */
  usedBytes(): number;
  open(): Hold;
}

interface Need {
  hold: Hold;
  sequence: number;
  bytes: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Creates a budget. Requests without room wait, oldest first. To keep half-read responses from waiting for each
 * other, the oldest waiting one may exceed the budget until it is released. The maximum in use is thus the
 * budget plus the largest response.
 */
export function createByteBudget(budgetBytes: number): ByteBudget {
  let used = 0;
  let count = 0;
  let beyond: Hold | null = null;
  const needs: Need[] = [];

  function serve(): void {
    for (let need = needs[0]; need; [need] = needs) {
      const fits = used + need.bytes <= budgetBytes;
      if (!fits && beyond !== null && beyond !== need.hold) return;
      if (!fits) beyond = need.hold;
      needs.shift();
      need.resolve();
    }
  }

  return {
    usedBytes: () => used,
    open() {
      const sequence = (count += 1);
      let held = 0;
      let isOver = false;
      const hold: Hold = {
        take: (bytes) =>
          new Promise<void>((resolve, reject) => {
            if (isOver) {
              reject(new Error('the hold was released'));
              return;
            }
            const grant = () => {
              used += bytes;
              held += bytes;
              resolve();
            };
            if (beyond === hold) {
              grant();
              return;
            }
            const later = needs.findIndex((each) => each.sequence > sequence);
            const need = { hold, sequence, bytes, resolve: grant, reject };
            needs.splice(later === -1 ? needs.length : later, 0, need);
            serve();
          }),
        release() {
          isOver = true;
          used -= held;
          held = 0;
          if (beyond === hold) beyond = null;
          for (const need of needs.filter((each) => each.hold === hold)) {
            needs.splice(needs.indexOf(need), 1);
            need.reject(new Error('the hold was released'));
          }
          serve();
        },
      };
      return hold;
    },
  };
}
