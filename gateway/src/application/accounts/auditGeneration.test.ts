import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { momentOf } from '../../domain/generation.ts';
import { auditHistory } from './auditGeneration.ts';
import type { AuditedGeneration } from './ports.ts';

const anyTime = fc.integer({ min: 0, max: 10_000_000 });

test('a history is possible whatever the clocks were set to meanwhile', () => {
  fc.assert(
    fc.property(anyTime, anyTime, anyTime, (createdAt, startNow, endNow) => {
      const startedAt = momentOf({ createdAt, startedAt: null }, startNow);
      const endedAt = momentOf({ createdAt, startedAt }, endNow);
      const state = { status: 'completed', step: 'ended', open: false, attempts: [] };
      const generation = { ...state, createdAt, startedAt, endedAt } as unknown;
      const notes: unknown[] = [];
      auditHistory(generation as AuditedGeneration, endNow, (...note) => void notes.push(note));
      expect(notes).toEqual([]);
    }),
  );
});
