import { expect, test } from '@jest/globals';
import { canonicalMailbox, welcomeReference } from './mailbox.ts';

test.each([
  ['mara@example.com', 'mara@example.com'],
  ['mara+1@example.com', 'mara@example.com'],
  ['mara+1+2@example.com', 'mara@example.com'],
  ['ma.ra@example.com', 'ma.ra@example.com'],
  ['+mara@example.com', '+mara@example.com'],
  ['m.a.r.a+x@gmail.com', 'mara@gmail.com'],
  ['mara@googlemail.com', 'mara@gmail.com'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(canonicalMailbox(email)).toBe(mailbox);
});

test('a mailbox has one reference, which reveals no address and depends on the secret', () => {
  const [one, two] = [{ secret: 'one' }, { secret: 'two' }];
  const reference = welcomeReference('mara@example.com', one);
  expect(welcomeReference('mara+1@example.com', one)).toBe(reference);
  expect(reference).not.toContain('mara');
  expect(welcomeReference('mara@example.com', two)).not.toBe(reference);
});
