/** A thing that has no position in the feed yet: an entry of the ledger, or the end of a generation. */
export interface Unplaced {
  id: string;
  kind: 'entry' | 'end';
  accountId: string;
  /** The number of the entry; of an end, that of the account's last entry when it ended. */
  number: number;
}

/**
 * The things that get the next positions, in their order: by account, then in the order in which the account changed.
 * @param entries In the order of account and number, at most `limit`.
 * @param ends In the same order, at most `limit`.
 * @param limit A list of this length may continue: nothing behind its last thing is placed before its rest.
 */
export function cutToPlace(
  entries: readonly Unplaced[],
  ends: readonly Unplaced[],
  limit: number,
): Unplaced[] {
  const last = [entries, ends].flatMap((list) => (list.length < limit ? [] : list.slice(-1)));
  return [...entries, ...ends]
    .filter((each) => last.every((end) => compareChanges(each, end) <= 0))
    .sort((a, b) => compareChanges(a, b) || kindOrder(a) - kindOrder(b) || (a.id < b.id ? -1 : 1));
}

/** An end comes behind the entry that was there already. */
const kindOrder = ({ kind }: Unplaced) => (kind === 'entry' ? 0 : 1);

function compareChanges(a: Unplaced, b: Unplaced): number {
  if (a.accountId !== b.accountId) return a.accountId < b.accountId ? -1 : 1;
  return a.number - b.number;
}
