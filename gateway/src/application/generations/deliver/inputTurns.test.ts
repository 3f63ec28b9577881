import { describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createSlots } from '@framegate/limits';
import { workKinds } from '../../workKinds.ts';
import { createInputTurns } from './inputTurns.ts';

function atMinute() {
  const time = { nowMs: 1_000 };
  const turns = createInputTurns({
    clock: { now: () => time.nowMs },
    random: { fraction: () => 0.5 },
    slots: createSlots(workKinds),
  });
  /** How long the account has to wait, in ms; a granted turn is released. */
  const waits = (accountId: string): number => {
    const turn = turns.enter(accountId);
    if (!turn.ok) return turn.againAt - time.nowMs;
    turn.leave();
    return 0;
  };
  return { time, turns, waits };
}

describe('turns for copying inputs', () => {
  test('one account has four, and does not hold up others', () => {
    const { turns, waits } = atMinute();
    const taken = Array.from({ length: 4 }, () => turns.enter('a'));
    expect(taken.every((turn) => turn.ok)).toBe(true);
    expect([waits('a'), waits('b')]).toEqual([1_500, 0]);
    const [first] = taken;
    if (first?.ok) first.leave();
    expect(waits('a')).toBe(0);
  });

  test('all accounts together have half of the slots of a process', () => {
    const { turns, waits } = atMinute();
    for (let each = 0; each < 25; each += 1) turns.enter(`account ${each}`);
    expect(waits('another')).toBe(1_500);
  });

  test('the third slow file makes the account pause, longer each time, and no other account', () => {
    const { time, turns, waits } = atMinute();
    const pauses: number[] = [];
    for (let files = 1; files <= 8; files += 1) {
      turns.recordSlow('a');
      pauses.push(Math.floor(waits('a') / 1_000));
      time.nowMs += 10 * minuteMs + 1;
    }
    expect(pauses).toEqual([0, 0, 31, 61, 121, 241, 481, 601]);
    turns.recordSlow('a');
    expect([waits('a') > 0, waits('b')]).toEqual([true, 0]);
  });

  test("an hour without a slow file clears the account's record", () => {
    const { time, turns, waits } = atMinute();
    for (let files = 0; files < 3; files += 1) turns.recordSlow('a');
    time.nowMs += 61 * minuteMs;
    turns.recordSlow('a');
    expect(waits('a')).toBe(0);
  });
});
