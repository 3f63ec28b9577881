import { expect, test } from '@jest/globals';
import type { JobWork } from '../../../application/ports/staffQueries.ts';
import type { Breaker } from '../../../domain/providers/breaker.ts';
import { waitOf } from './jobWaits.ts';

const deadlineAt = Date.UTC(2026, 10, 27, 3, 56);
const open = new Set(['down', 'budget: rich 1 USD']);
const breakers = { get: (key: string) => ({ openedAt: open.has(key) ? 1 : null }) as Breaker };

const parkedFor = (...providers: string[]): Partial<JobWork> => ({
  step: 'parked',
  waitsFor: { providers, at: 0 },
});
const attempt = (more: object) => [{ provider: 'fal', ...more }];

test.each<[Partial<JobWork>, string]>([
  [parkedFor('fal'), 'waits for a slot at fal until T'],
  [parkedFor('fal', 'down'), 'waits for a slot at fal until T'],
  [parkedFor('fal model', 'byte'), 'waits for a slot at fal or byte until T'],
  [parkedFor('down'), 'waits for down, whose circuit is open, until T'],
  [parkedFor('budget: rich 1 USD'), 'waits for the next day&#39;s budget of rich until T'],
  [{ step: 'waiting' }, 'waits behind other generations of its account until T'],
  [{ step: 'submitting', attempts: attempt({}) }, 'is being submitted to fal'],
  [{ step: 'submitted', attempts: attempt({}) }, 'runs at fal until T at the latest'],
  [
    { step: 'submitted', attempts: attempt({ fault: 'HTTP 502' }) },
    'fal is not responding (HTTP 502); polled until T',
  ],
  [
    { step: 'submitted', attempts: attempt({ finishedAt: 1 }) },
    'fetches its files from fal until T',
  ],
])('%j %s', (work, words) => {
  const wait = waitOf({ step: 'ready', attempts: [], deadlineAt, ...work }, breakers);
  const plain = wait?.markup.replace(/<time[^>]*>2026-11-27 03:56:00<\/time>/, 'T');
  expect(plain).toBe(words);
});

test('a generation that has ended waits for nothing', () => {
  expect(waitOf({ step: 'ended', attempts: [], deadlineAt }, breakers)).toBeNull();
});
