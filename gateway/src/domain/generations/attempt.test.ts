import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Attempt, withoutRepeated } from './attempt.ts';

test('an order that is refused again and again keeps one refusal for each route and key, without a gap', () => {
  const refusal = fc.record({
    provider: fc.constantFrom('a', 'b'),
    model: fc.constantFrom('m', 'n'),
    key: fc.constantFrom('ONE', 'TWO'),
    note: fc.string(),
  });
  fc.assert(
    fc.property(fc.array(refusal, { minLength: 1, maxLength: 30 }), (refusals) => {
      let attempts: Attempt[] = [];
      for (const fields of refusals) {
        const number = attempts.length + 1;
        const common = { startedAt: 0, operation: null, cost: null };
        const made = { ...fields, ...common, outcome: 'refused', refusedFor: 'key' } as const;
        attempts = withoutRepeated([...attempts, { number, ...made }]);
      }
      expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, index) => index + 1));
      const latest = new Map(
        refusals.map(({ note, ...of }) => [`${of.provider} ${of.model} ${of.key}`, note]),
      );
      const kept = attempts.map(({ provider, model, key = '', note }) => [
        `${provider} ${model} ${key}`,
        note,
      ]);
      expect(kept.toSorted()).toEqual([...latest].toSorted());
    }),
  );
});
