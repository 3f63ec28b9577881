import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normaliseEmail } from './email.ts';

test.each([
  [' Ada@Example.ORG ', 'ada@example.org'],
  ['farm@\uff45xample.org', 'farm@example.org'],
  ['\uff46arm@example.org', 'farm@example.org'],
  ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['a.d+a@example.org', 'a.d+a@example.org'],
])('%j is stored as %s', (typed, stored) => {
  expect(normaliseEmail(typed)).toBe(stored);
});

test.each([
  'fa\u0001rm@example.org',
  'farm\0@example.org',
  'farm@exam\u00adple.org',
  'fa\u200brm@example.org',
  'fa\u3164rm@example.org',
  'farm@example.org.',
  'farm@example..org',
  'farm@@example.org',
  'farm@exa mple.org',
  'farm@[127.0.0.1]',
  'farm',
  '@example.org',
  'farm@',
])('%j is not an address', (typed) => {
  expect(normaliseEmail(typed)).toBeNull();
});

test('a stored address is in normal form: ASCII after the @ and no invisible characters', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.oneof(text, fc.emailAddress()), text, (local, domain) => {
      for (const typed of [local, `${local}@${domain}`, `${local}@example.org`]) {
        const stored = normaliseEmail(typed);
        if (stored === null) continue;
        expect(normaliseEmail(stored)).toBe(stored);
        expect(stored).toMatch(/^[^\p{C}\s@]+@[a-z0-9.-]+$/u);
      }
    }),
  );
});
