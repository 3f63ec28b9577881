import { expect } from '@jest/globals';
import type { Ended } from '../support/runNode.ts';

/** Output of a command: one line with one JSON object, and nothing on standard error. */
export function printed({ status, stdout, stderr }: Ended): Record<string, unknown> {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout) as Record<string, unknown>;
}
