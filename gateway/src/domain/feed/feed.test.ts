import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { takeForPositions, type WithoutPosition } from './feed.ts';

const kinds = ['entry', 'end', 'event'] as const;

/** The history of one account: entries, and ends and events between them. */
const history = fc.array(fc.constantFrom(...kinds), { maxLength: 12 });

function thingsOf(
  subject: string,
  ownKinds: readonly WithoutPosition['kind'][],
): WithoutPosition[] {
  let number = 0;
  return ownKinds.map((kind, index) => {
    if (kind === 'entry') number += 1;
    return {
      // Ids do not reveal the order.
      id: `${99 - index}-${subject}`,
      kind,
      subject,
      number,
      sequence: kind === 'entry' ? 0 : index,
    };
  });
}

const byId = (a: WithoutPosition, b: WithoutPosition) => (a.id < b.id ? -1 : 1);

/** As the database lists one kind: not in the order of ends, which its index lacks. */
const listOf = (kind: WithoutPosition['kind'], things: readonly WithoutPosition[]) =>
  things
    .filter((each) => each.kind === kind)
    .toSorted(
      (a, b) =>
        (a.subject < b.subject ? -1 : Number(a.subject > b.subject)) ||
        a.number - b.number ||
        (kind === 'end' ? byId(a, b) : a.sequence - b.sequence),
    );

/** Whether more ends follow one entry than fit in a list. */
const hasLongRuns = (things: readonly WithoutPosition[], limit: number) => {
  const ends = things.filter(({ kind }) => kind === 'end');
  return ends.some(({ number }) => ends.filter((each) => each.number === number).length >= limit);
};

test('every item is placed once, round by round, in the order of its account', () => {
  fc.assert(
    fc.property(
      fc.array(history, { maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      (accounts, limit) => {
        const all = accounts.map((accountKinds, index) => thingsOf(`acct_${index}`, accountKinds));
        let left = all.flat();
        const placed: WithoutPosition[] = [];
        while (left.length > 0) {
          const pages = kinds.map((kind) => listOf(kind, left).slice(0, limit));
          const current = takeForPositions(pages, limit);
          expect(current.length).toBeGreaterThan(0);
          placed.push(...current);
          left = left.filter((each) => !current.includes(each));
        }
        for (const things of all) {
          const own = placed.filter(({ subject }) => subject === things[0]?.subject);
          if (hasLongRuns(things, limit)) expect(own.toSorted(byId)).toEqual(things.toSorted(byId));
          else expect(own).toEqual(things);
        }
      },
    ),
  );
});
