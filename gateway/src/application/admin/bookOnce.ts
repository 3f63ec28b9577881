import type { LedgerEntry } from '../../domain/ledger.ts';
import type { Database } from '../ports/database.ts';
import { DatabaseUnavailable, DuplicateValue } from '../ports/storeErrors.ts';

/** An entry of the ledger, and whether it had been there before this call. */
export interface Booked {
  entry: LedgerEntry;
  replayed: boolean;
}

/**
 * The database did not say whether an entry was written, and does not show it either. To find out, book
 * it again under the same reference: it is written once at most.
 */
export class UnknownOutcome extends DatabaseUnavailable {
  readonly reference: string;
  constructor(reference: string, cause: unknown) {
    super(
      'It is not known whether the credits were booked: the database did not answer. Look at the ledger of the account before you book them again.',
      { cause },
    );
    this.reference = reference;
  }
}

/**
 * Books a grant or an adjustment once under its reference. After trouble with the database the entry is
 * looked up before anything is said.
 * @param requestId Of the entry that `write` appends: tells it from an earlier one.
 * @param requireSame Throws unless an entry found under the reference is what was asked for.
 * @param write Appends the entry.
 * @throws UnknownOutcome when it may have been written, or not.
 */
export async function bookOnce(
  { ledger, isTrouble }: Pick<Database, 'ledger' | 'isTrouble'>,
  { reference, requestId }: { reference: string; requestId: string },
  requireSame: (entry: LedgerEntry) => void,
  write: () => Promise<LedgerEntry>,
): Promise<Booked> {
  const bookedBefore = async (): Promise<Booked | null> => {
    const entry = await ledger.findByReference(reference);
    if (entry === null) return null;
    requireSame(entry);
    return { entry, replayed: entry.requestId !== requestId };
  };
  const before = await bookedBefore();
  if (before) return before;
  try {
    return { entry: await write(), replayed: false };
  } catch (error) {
    const unknown = isTrouble(error);
    const taken = error instanceof DuplicateValue && error.index === 'reference';
    if (!unknown && !taken) throw error;
    const booked = await bookedBefore().catch((trouble: unknown) => {
      if (unknown && isTrouble(trouble)) return null;
      throw trouble;
    });
    if (booked) return booked;
    throw unknown ? new UnknownOutcome(reference, error) : error;
  }
}
