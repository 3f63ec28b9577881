import { expect, test } from '@jest/globals';
import type { Attempt } from './attempt.ts';
import { isUnordered, type ModelHealth, type Phase, phaseOf } from './phase.ts';
import type { GenerationStep } from './work.ts';

const cases: [GenerationStep, Partial<Attempt>[], ModelHealth, Phase][] = [
  ['waiting', [], 'delayed', 'queued'],
  ['parked', [], 'good', 'waiting'],
  ['parked', [], 'delayed', 'held up'],
  ['parked', [{ outcome: 'refused' }], 'unavailable', 'held up'],
  ['ready', [], 'good', 'starting'],
  ['submitting', [{ outcome: 'open' }], 'good', 'running'],
  ['submitted', [{ outcome: 'accepted' }], 'delayed', 'running'],
  ['submitted', [{ outcome: 'accepted', fault: 'status 502' }], 'good', 'out of sight'],
  ['submitted', [{ fault: 'no response' }, { outcome: 'accepted' }], 'good', 'running'],
  ['submitted', [{ fault: 'no response', finishedAt: 1 }], 'good', 'fetching'],
  ['submitted', [{ arrived: { at: 1, keys: ['a'] } }], 'good', 'fetching'],
];

test.each(cases)(
  '%s with attempts %j at a model that is %s: %s',
  (step, attempts, health, phase) => {
    expect(phaseOf({ step, attempts: attempts as Attempt[] }, health)).toBe(phase);
  },
);

const unordered: [GenerationStep, Partial<Attempt>[], boolean][] = [
  ['waiting', [], true],
  ['ready', [], true],
  ['parked', [{ outcome: 'refused' }], true],
  ['ready', [{ outcome: 'refused' }, { outcome: 'unknown' }], false],
  ['parked', [{ outcome: 'unknown' }], false],
  ['submitting', [{ outcome: 'open' }], false],
  ['submitted', [{ outcome: 'accepted' }], false],
  ['ended', [], false],
];

test.each(unordered)('%s with attempts %j may be cancelled: %s', (step, attempts, expected) => {
  expect(isUnordered({ step, attempts: attempts as Attempt[] })).toBe(expected);
});
