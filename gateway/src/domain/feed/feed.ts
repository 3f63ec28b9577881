/** An item without a position in the feed: a ledger entry, a generation's end, or an event. */
export interface WithoutPosition {
  id: string;
  kind: 'entry' | 'end' | 'event';
  /** The account; for events without one, the other subject whose sequence is kept. */
  subject: string;
  /** The entry's number; for other items, the number of the account's latest entry at the time. */
  number: number;
  /** Position among ends and events with the same number; 0 for an entry. */
  sequence: number;
}

/**
 * The items that get the next positions, in order: by subject, then as the subject changed.
 * @param lists Items of one kind each, at most `limit`, by subject and number; events also by their sequence.
 * @param limit A list of this length may continue: items beyond its last one wait for the rest of the list.
 */
export function takeForPositions(
  lists: readonly (readonly WithoutPosition[])[],
  limit: number,
): WithoutPosition[] {
  const bounds = lists.flatMap((list) => (list.length < limit ? [] : boundOf(list)));
  return lists
    .flat()
    .filter((each) => bounds.every((bound) => compareChanges(each, bound) <= 0))
    .toSorted(
      (a, b) => compareChanges(a, b) || kindRank(a) - kindRank(b) || (a.id < b.id ? -1 : 1),
    );
}

/**
 * The bound up to which a full list is complete. Ends are not listed by their sequence: those after the same entry wait
 * for each other, unless there are too many.
 */
function boundOf(list: readonly WithoutPosition[]): WithoutPosition[] {
  const [first, last] = [list[0], list.at(-1)];
  if (!first || !last) return [];
  if (last.kind !== 'end') return [last];
  const isOneGroup = first.subject === last.subject && first.number === last.number;
  return [{ ...last, sequence: isOneGroup ? Infinity : -1 }];
}

/** A generation's end precedes events about it. */
const kindRank = ({ kind }: WithoutPosition) => ['entry', 'end', 'event'].indexOf(kind);

function compareChanges(a: WithoutPosition, b: WithoutPosition): number {
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  const entryRank = ({ kind }: WithoutPosition) => (kind === 'entry' ? 0 : 1);
  return a.number - b.number || entryRank(a) - entryRank(b) || a.sequence - b.sequence;
}
