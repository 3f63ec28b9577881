import { test } from 'vitest';
import { playOutage } from './playOutage.ts';

// The driver gives an operation up after five to ten seconds, and the store used to after twenty.
test.concurrent.for([1, 3] as const)(
  'with %s processes no accepted order is lost while the database is away for 26 s',
  async (processes, { expect: expectHere }) => {
    const report = await playOutage({ seconds: 26, how: 'kill', processes });
    expectHere(report).toEqual({ accepted: 10, kept: 10, wrong: [] });
  },
);
