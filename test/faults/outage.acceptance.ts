import { expect } from '@jest/globals';
import { testTogether } from '../support/testTogether.ts';
import { playOutage } from './playOutage.ts';

async function play(processes: 1 | 3): Promise<void> {
  const report = await playOutage({ seconds: 26, how: 'kill', processes });
  expect(report).toEqual({ accepted: 10, kept: 10, wrong: [] });
}

// The driver gives up an operation after five to ten seconds; the store used to after twenty.
testTogether({
  'with 1 process no accepted order is lost while the database is away for 26 s': () => play(1),
  'with 3 processes no accepted order is lost while the database is away for 26 s': () => play(3),
});
