import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runNode } from '../../test/support/runNode.ts';

/* In processes of their own: a simulation takes over all clocks and timers. */

const schedules = 50;
const main = join(import.meta.dirname, 'main.ts');

test('schedules of crashes, lost answers, stepping clocks and restores keep the promises', async () => {
  const seeds = [1, randomInt(2 ** 31)];
  const played = await Promise.all(
    seeds.map((seed) => runNode([main, '--schedules', `${schedules}`, '--seed', `${seed}`], {})),
  );
  for (const { status, stdout, stderr } of played) {
    if (status !== 0) throw new Error(stdout + stderr);
    expect(stdout).toContain(`${schedules} schedules, `);
  }
}, 120_000);
