import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutToPlace, type Unplaced } from './feed.ts';

/** The history of one account: entries, and ends between them. */
const history = fc.array(fc.constantFrom<Unplaced['kind']>('entry', 'end'), { maxLength: 12 });

function thingsOf(accountId: string, kinds: readonly Unplaced['kind'][]): Unplaced[] {
  let number = 0;
  return kinds.map((kind, index) => {
    if (kind === 'entry') number += 1;
    return {
      id: `${kind}-${accountId}-${String(index).padStart(3, '0')}`,
      kind,
      accountId,
      number,
    };
  });
}

test('round by round, everything is placed once, and each account in the order of its changes', () => {
  fc.assert(
    fc.property(
      fc.array(history, { maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      (accounts, limit) => {
        const all = accounts.map((kinds, index) => thingsOf(`acct_${index}`, kinds));
        let left = all.flat();
        const placed: Unplaced[] = [];
        while (left.length > 0) {
          const page = (kind: Unplaced['kind']) =>
            left.filter((each) => each.kind === kind).slice(0, limit);
          const now = cutToPlace(page('entry'), page('end'), limit);
          expect(now.length).toBeGreaterThan(0);
          placed.push(...now);
          left = left.filter((each) => !now.includes(each));
        }
        for (const things of all) {
          const own = placed.filter(({ accountId }) => accountId === things[0]?.accountId);
          expect(own.map(({ id }) => id)).toEqual(things.map(({ id }) => id));
        }
      },
    ),
  );
});
