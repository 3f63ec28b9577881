import { describe, expect, test } from '@jest/globals';
import { canMove, isFinal, statuses } from './states.ts';

/** Every allowed change of status. */
const legal = ['queued>processing', 'queued>failed', 'processing>completed', 'processing>failed'];

describe('states of a generation', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

  test.each(pairs)('%s to %s', (from, to) => {
    expect(canMove(from, to)).toBe(legal.includes(`${from}>${to}`));
  });

  test.each(statuses)('%s is final exactly when nothing follows', (status) => {
    expect(isFinal(status)).toBe(!legal.some((move) => move.startsWith(`${status}>`)));
  });
});
