import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { clampToHistory } from '../../../domain/generations/work.ts';
import type { AuditedGeneration } from '../../ports/ledgerAudit.ts';
import { auditHistory } from './auditGeneration.ts';

const anyTime = fc.integer({ min: 0, max: 10_000_000 });

test('a history is possible whatever the clocks were set to meanwhile', () => {
  fc.assert(
    fc.property(anyTime, anyTime, anyTime, (createdAt, startNow, endNow) => {
      const startedAt = clampToHistory({ createdAt, startedAt: null }, startNow);
      const endedAt = clampToHistory({ createdAt, startedAt }, endNow);
      const state = { status: 'completed', step: 'ended', isOpen: false, attempts: [] };
      const generation = { ...state, createdAt, startedAt, endedAt } as unknown;
      const notes: unknown[] = [];
      auditHistory(generation as AuditedGeneration, endNow, (...note) => void notes.push(note));
      expect(notes).toEqual([]);
    }),
  );
});

test('a lease of before all clocks were set back is possible, and one beyond every deadline is not', () => {
  const [createdAt, backMs] = [10_000_000, 20 * minuteMs];
  const deadlineAt = createdAt + hourMs;
  const state = {
    id: 'gen_1',
    status: 'processing',
    step: 'submitted',
    isOpen: true,
    attempts: [],
  };
  const problemsOf = (leaseUntil: number) => {
    const times = { createdAt, startedAt: createdAt, endedAt: null, deadlineAt };
    const generation = { ...state, ...times, dueAt: leaseUntil, leaseUntil } as unknown;
    const notes: string[] = [];
    const note = (_invariant: string, _document: string, problem: string) => notes.push(problem);
    auditHistory(generation as AuditedGeneration, createdAt + minuteMs - backMs, note);
    return notes.map((problem) => problem.split(' ').slice(2, 4).join(' '));
  };
  expect(problemsOf(createdAt + 90_000)).toEqual([]);
  expect(problemsOf(deadlineAt + dayMs)).toEqual(['next poll', 'lease at']);
});
