import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import mongoose from 'mongoose';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { changeOf, generationDocument, parseStoredGeneration } from './generationWrites.ts';

const { serialize, deserialize } = mongoose.mongo.BSON;

/** The handle of an attempt after its way through the database. */
function storedAndRead(operation: unknown): unknown {
  const attempt = { number: 1, provider: 'a', outcome: 'accepted', operation } as Attempt;
  const { $set } = changeOf({ attempts: [attempt] });
  const document = deserialize(serialize({ _id: 'gen_1', ...$set }));
  return parseStoredGeneration(document as never).attempts[0]?.operation;
}

test("a provider's handle is read back unchanged, with any names and values", () => {
  const named = fc.dictionary(
    fc.constantFrom('startedAt', 'at', 'keptUntil', 'handle', '$ref', 'a.b', 'nul\0', '__proto__'),
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), fc.constant(null)),
  );
  fc.assert(
    fc.property(fc.oneof(named, fc.jsonValue()), (handle) => {
      expect(storedAndRead(handle)).toEqual(JSON.parse(JSON.stringify(handle)));
    }),
    { examples: [[{ startedAt: 1.763870000123456e18 }], [{ 'nul\0': 1 }]] },
  );
});

test('a generation without a slot at a limited route has no field for it', () => {
  const called = changeOf({ step: 'ready', providerSlot: 'ark', routeSlot: 'ark alpha' });
  expect(called.$set).toMatchObject({ providerSlot: 'ark', routeSlot: 'ark alpha' });
  expect(called).not.toHaveProperty('$unset');
  const ended = changeOf({ step: 'ended' });
  expect(ended.$set).toMatchObject({ providerSlot: null });
  expect(ended.$set).not.toHaveProperty('routeSlot');
  expect(ended.$unset).toEqual({ routeSlot: true });
  expect(changeOf({ dueAt: 1 })).not.toHaveProperty('$unset');
  const created = { id: 'gen_1', step: 'ready', timeline: [], attempts: [] };
  expect(generationDocument(created as unknown as Generation)).not.toHaveProperty('routeSlot');
});
