import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findPeople, indexPeople } from './erasedNames.ts';

const id = `acct_${'0'.repeat(26)}`;
const email = 'ada.l+shop@mail.example.com';
const sought = indexPeople([{ id, email, since: 1_000 }]);
const words = fc.string({ maxLength: 30 }).map((text) => text.replace(/[\p{L}\p{N}._+\-@]/gu, ' '));

test('a person is found at any depth, between any signs, in any spelling of an address', () => {
  fc.assert(
    fc.property(
      words,
      words,
      fc.constantFrom(email, email.toUpperCase(), id),
      (before, after, name) => {
        const text = `${before}${name}${after}`;
        const wanted = name === id ? 'id' : 'email';
        const found = findPeople({ deep: [[{ text }], text] }, sought);
        expect(found).toEqual([
          { id, by: wanted, field: 'deep.text' },
          { id, by: wanted, field: 'deep' },
        ]);
        expect(findPeople({ [text]: 1 }, sought)).toHaveLength(1);
      },
    ),
  );
});

test('others are not found: longer addresses, and addresses in parts written after the erasure', () => {
  const others = [`x${email}`, `${email}.au`, `${id}0`.replace('acct', 'key')];
  expect(findPeople({ others }, sought)).toEqual([]);
  const [before, after] = [new Date(999), new Date(1_000)];
  expect(findPeople({ at: after, email }, sought)).toEqual([]);
  expect(findPeople({ at: after, part: { at: before, email } }, sought)).toHaveLength(1);
  expect(
    findPeople({ at: before, part: { at: after, until: before, email } }, sought),
  ).toHaveLength(1);
  expect(findPeople({ at: before, part: { at: after, email } }, sought)).toEqual([]);
  expect(findPeople({ at: before, part: { never: new Date(0), email } }, sought)).toHaveLength(1);
});
