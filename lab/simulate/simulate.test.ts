import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runNode } from '../../test/support/runNode.ts';

/* In a process of its own: a simulation takes over all clocks and timers. Its seed is new each time, and printed. */

const schedules = 50;
const main = join(import.meta.dirname, 'main.ts');

test('schedules of crashes, lost answers, stepping clocks and restores keep the promises', async () => {
  const words = [main, '--schedules', `${schedules}`];
  const { status, stdout, stderr } = await runNode(words, {});
  if (status !== 0) throw new Error(stdout + stderr);
  expect(stdout).toContain(`${schedules} schedules, `);
}, 120_000);
