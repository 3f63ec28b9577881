import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runNode } from '../../test/support/runNode.ts';
import { brokenFile } from './breakRule.ts';
import { brokenRules } from './brokenRules.ts';

/* In a process of its own: a simulation takes over all clocks and timers. Its seed is new each time, and printed. */

const schedules = 50;
const main = join(import.meta.dirname, 'main.ts');

test('schedules of crashes, lost responses, stepping clocks and restores keep the promises', async () => {
  const words = [main, '--schedules', `${schedules}`];
  const { status, stdout, stderr } = await runNode(words, {});
  if (status !== 0) throw new Error(stdout + stderr);
  expect(stdout).toContain(`${schedules} schedules, `);
}, 120_000);

test('a broken rule is found, and each breakable rule matches the code', async () => {
  for (const name of Object.keys(brokenRules)) brokenFile(name);
  const words = [main, '--schedules', '20', '--shrinks', '0', '--broken', 'a charge has its entry'];
  const { status, stdout } = await runNode(words, {});
  expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('WRONG after') });
});
