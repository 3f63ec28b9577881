/** A thing that has no position in the feed yet: an entry of the ledger, the end of a generation, or an event. */
export interface Unplaced {
  id: string;
  kind: 'entry' | 'end' | 'event';
  /** The account; of an event about none, what else its order is kept for. */
  subject: string;
  /** The number of the entry; of others, that of the account's last entry when they happened. */
  number: number;
  /** The place of an end or an event among those with the same number; 0 of an entry. */
  order: number;
}

/**
 * The things that get the next positions, in their order: by subject, then in the order in which it changed.
 * @param lists Things of one kind each, at most `limit`, by subject and number; events by their order as well.
 * @param limit A list of this length may continue: nothing behind its last thing is placed before its rest.
 */
export function cutToPlace(lists: readonly (readonly Unplaced[])[], limit: number): Unplaced[] {
  const bounds = lists.flatMap((list) => (list.length < limit ? [] : boundOf(list)));
  return lists
    .flat()
    .filter((each) => bounds.every((bound) => compareChanges(each, bound) <= 0))
    .sort((a, b) => compareChanges(a, b) || kindOrder(a) - kindOrder(b) || (a.id < b.id ? -1 : 1));
}

/**
 * Up to where a full list is complete. Ends are not listed by their order: those behind the same entry wait for each
 * other, unless they are too many.
 */
function boundOf(list: readonly Unplaced[]): Unplaced[] {
  const [first, last] = [list[0], list.at(-1)];
  if (!first || !last) return [];
  if (last.kind !== 'end') return [last];
  const isOneGroup = first.subject === last.subject && first.number === last.number;
  return [{ ...last, order: isOneGroup ? Infinity : -1 }];
}

/** The end of a generation comes before an event about it. */
const kindOrder = ({ kind }: Unplaced) => ['entry', 'end', 'event'].indexOf(kind);

function compareChanges(a: Unplaced, b: Unplaced): number {
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  const isEntry = ({ kind }: Unplaced) => (kind === 'entry' ? 0 : 1);
  return a.number - b.number || isEntry(a) - isEntry(b) || a.order - b.order;
}
