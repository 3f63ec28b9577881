/** Bytes of one answer, taken from a budget that all answers share. */
export interface Hold {
  /**
   * Takes more bytes; waits while there is no room for them.
   * @throws Error when the hold has been given back.
   */
  take(bytes: number): Promise<void>;
  /** Gives back all that was taken. */
  release(): void;
}

/** Memory for answers under way, in bytes. */
export interface ByteBudget {
  /** How many bytes are taken. */
  used(): number;
  open(): Hold;
}

interface Need {
  hold: Hold;
  order: number;
  bytes: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Makes a budget. What finds no room waits, the oldest first. So that answers which are all half read do
 * not wait for each other, one of them may go beyond the budget: the oldest that waits, until it is given
 * back. The most in use is then the budget and the largest answer.
 */
export function createByteBudget(budgetBytes: number): ByteBudget {
  let used = 0;
  let opened = 0;
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
    used: () => used,
    open() {
      const order = (opened += 1);
      let held = 0;
      let isOver = false;
      const hold: Hold = {
        take: (bytes) =>
          new Promise<void>((resolve, reject) => {
            if (isOver) {
              reject(new Error('the answer is no longer wanted'));
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
            const later = needs.findIndex((each) => each.order > order);
            const need = { hold, order, bytes, resolve: grant, reject };
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
            need.reject(new Error('the answer is no longer wanted'));
          }
          serve();
        },
      };
      return hold;
    },
  };
}
