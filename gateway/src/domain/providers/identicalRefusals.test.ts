import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minuteMs } from '@framegate/contract';
import { admits, afterSubmission, type Breaker, closedBreaker } from './breaker.ts';
import { afterRefusal, holdsBack, takeAccountProbe } from './identicalRefusals.ts';

const reason = { kind: 'refusal', said: 'no' } as const;
const refuse = (breaker: Breaker, number: number, account = 'a', said = 'no', nowMs = 0) =>
  afterRefusal(breaker, { said, generation: `gen_${number}`, account }, nowMs, reason) ?? breaker;
/** The breaker after refusals of these accounts' orders. */
const refused = (accounts: readonly string[]) =>
  accounts.reduce((breaker, account, number) => refuse(breaker, number, account), closedBreaker);

test('whatever one account orders, the route stays open for others', () => {
  const said = fc.array(fc.constantFrom('no', 'never'), { maxLength: 40 });
  fc.assert(
    fc.property(said, (words) => {
      const after = words.reduce(
        (breaker, word, number) => refuse(breaker, number, 'a', word),
        closedBreaker,
      );
      expect([admits(after, 0), holdsBack(after, 'b', 0)]).toEqual(['yes', 'no']);
      const isRow = words.length >= 5 && new Set(words.slice(-5)).size === 1;
      expect(holdsBack(after, 'a', 0)).toBe(isRow ? 'yes' : 'no');
    }),
  );
});

test('five identical refusals of several accounts open its circuit, in any order', () => {
  expect(refused(['a', 'b', 'a', 'b']).openedAt).toBeNull();
  expect(refused(['a', 'b', 'a', 'b', 'a'])).toMatchObject({ openedAt: 0, reason });
  expect(refused(['b', ...Array<string>(9).fill('a')]).openedAt).toBe(0);
  // An account that is held back is no longer alone.
  const joined = refuse(refused(Array<string>(5).fill('a')), 5, 'b');
  expect([joined.openedAt, holdsBack(joined, 'a', 0)]).toEqual([0, 'no']);
});

test('a generation counts once, a success ends the series, and other refusals are not identical', () => {
  const four = refused(['a', 'b', 'a', 'b']);
  expect(refuse(four, 3)).toBe(four);
  expect(refuse(four, 4, 'a', 'never').openedAt).toBeNull();
  expect(afterSubmission(four, { kind: 'success' }, 0)).toEqual(closedBreaker);
});

test('an account that is held back gets single probes, rarer after each refusal', () => {
  let breaker = refused(Array<string>(5).fill('a'));
  for (const minutes of [1, 2, 4, 8, 10, 10]) {
    const until = breaker.identical?.holdsUntil ?? 0;
    const since = until - minutes * minuteMs;
    expect([holdsBack(breaker, 'a', until - 1), holdsBack(breaker, 'a', until)]).toEqual([
      ...['yes', 'probe'],
    ]);
    expect(since).toBeGreaterThanOrEqual(0);
    const probed = takeAccountProbe(breaker, 'a', until) ?? closedBreaker;
    expect(takeAccountProbe(probed, 'a', until + 1)).toBeNull();
    breaker = refuse(probed, 4, 'a', 'no', until);
  }
});
