import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot, runNode } from '../support/runNode.ts';

test('files with changed parts get a verdict within their time and memory', async () => {
  // One of the files is read without end until the limits of a child, which take seconds, end it.
  const main = join(projectRoot, 'lab/fuzz/main.ts');
  const { status, stdout, stderr } = await runNode([main, '--count', '80', '--seed', '2']);
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  const { good, invalid } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Sums;
  // Some are changed, and some are readable beyond the first byte.
  expect([good > 5, invalid > 50]).toEqual([true, true]);
}, 240_000);

interface Sums {
  good: number;
  invalid: number;
}
