import { maxGrantCredits } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { book, giveWithinMaximum } from '../../domain/credits/book.ts';
import type { LotKind } from '../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import { type AccountChange, changeAccountById } from '../accounts/changeAccount.ts';
import type { AppCore } from '../app.ts';
import { type Database, DatabaseUnavailableError, DuplicateValueError } from '../ports/database.ts';

/** A ledger entry, and whether it existed before this call. */
export interface BookedEntry {
  entry: LedgerEntry;
  wasReplayed: boolean;
}

/**
 * The database neither confirmed nor shows the write of an entry. Booking again under the same reference is safe and
 * returns the outcome: the entry is written at most once. The command line and the audit log report this.
 */
export class UnknownOutcomeError extends DatabaseUnavailableError {
  override readonly name = 'UnknownOutcomeError';
  readonly reference: string;
  constructor(reference: string, cause: unknown) {
    super(
      "We do not know whether the credits were booked: the database did not respond. Check the account's ledger before you book them again.",
      { cause },
    );
    this.reference = reference;
  }
}

/**
 * Books a grant or an adjustment once per reference. After a database failure the entry is looked up before answering.
 * @param requestId The request ID of the entry that `write` appends; distinguishes it from an earlier one.
 * @param requireSame Throws unless an entry found under the reference matches the request.
 * @param write Appends the entry.
 * @throws UnknownOutcomeError if it is unknown whether the entry was written.
 */
export async function bookOnce(
  { ledger, isTrouble }: Pick<Database, 'ledger' | 'isTrouble'>,
  { reference, requestId }: { reference: string; requestId: string },
  requireSame: (entry: LedgerEntry) => void,
  write: () => Promise<LedgerEntry>,
): Promise<BookedEntry> {
  const findBooked = async (): Promise<BookedEntry | null> => {
    const entry = await ledger.findByReference(reference);
    if (entry === null) return null;
    requireSame(entry);
    return { entry, wasReplayed: entry.requestId !== requestId };
  };
  const before = await findBooked();
  if (before) return before;
  try {
    return { entry: await write(), wasReplayed: false };
  } catch (error) {
    const isUnknown = isTrouble(error);
    const isTaken = error instanceof DuplicateValueError && error.index === 'accountReference';
    if (!isUnknown && !isTaken) throw error;
    const booked = await findBooked().catch((trouble: unknown) => {
      if (isUnknown && isTrouble(trouble)) return null;
      throw trouble;
    });
    if (booked) return booked;
    throw isUnknown ? new UnknownOutcomeError(reference, error) : error;
  }
}

/** Changes an account's credits. @returns The ledger entry of the change. */
export async function bookEntry(
  database: Database,
  accountId: string,
  change: (account: Account) => AccountChange,
): Promise<LedgerEntry> {
  const { entry } = await changeAccountById(database, accountId, change);
  if (!entry) throw new Error('credits were booked without a ledger entry');
  return entry;
}

/** A grant of credits. */
export interface GrantCommand {
  accountId: string;
  amountCredits: number;
  kind: LotKind;
  /** A time in ms since the epoch, or ms after the grant; null for never. */
  expiresAt: number | { afterMs: number } | null;
  reason: string | null;
  /** Identifies the request across all accounts; generated if absent. */
  reference?: string | undefined;
  /** The request named in its entry, by which the audit log finds its author; generated if absent. */
  requestId?: string | undefined;
}

/** A booked grant. */
export interface GrantResult {
  /** Id of the lot. */
  id: string;
  entry: LedgerEntry;
  /** Whether an earlier call with the same reference made it. */
  wasReplayed: boolean;
}

/**
 * Grants credits and writes the ledger entry in one transaction (I1), once per reference: a repeated call returns the
 * original entry, even if its lot is spent or expired.
 * @throws Refusal `amount_invalid`, `expiry_past`, `reference_reused`, `lots_full`, `balance_too_high`.
 * @throws UnknownOutcomeError if the database does not confirm the write.
 */
export async function grantCredits(
  deps: Pick<AppCore, 'database' | 'clock' | 'random'>,
  command: GrantCommand,
): Promise<GrantResult> {
  const { amountCredits: amount } = command;
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > maxGrantCredits) {
    throw new Refusal('amount_invalid', { values: { min: 1, max: maxGrantCredits } });
  }
  const requestId = command.requestId ?? deps.random.newId('req');
  const reference = command.reference ?? `grant ${requestId}`;
  const { entry, wasReplayed } = await bookOnce(
    deps.database,
    { reference, requestId },
    (earlier) => {
      requireSame(earlier, command);
    },
    () => openLot(deps, command, { reference, requestId }),
  );
  return { id: entry.movements[0]?.lotId ?? '', entry, wasReplayed };
}

async function openLot(
  deps: Pick<AppCore, 'database' | 'clock' | 'random'>,
  { accountId, amountCredits: amount, kind, reason, ...command }: GrantCommand,
  names: Pick<LedgerEntry, 'requestId' | 'reference'>,
): Promise<LedgerEntry> {
  const nowMs = deps.clock.now();
  const expiresAt = expiryOf(command, nowMs);
  requireFuture(expiresAt, nowMs);
  const lot = { id: deps.random.newId('lot'), kind, amount, expiresAt, createdAt: nowMs };
  return bookEntry(deps.database, accountId, (account) =>
    book(account, giveWithinMaximum(account.lots, lot), {
      kind: 'grant',
      at: nowMs,
      ...names,
      reason,
    }),
  );
}

/** @throws Refusal `expiry_past`. */
export function requireFuture(expiresAt: number | null, nowMs: number): void {
  if (expiresAt === null || expiresAt > nowMs) return;
  const values = { time: isoTime(expiresAt), now: isoTime(nowMs) };
  throw new Refusal('expiry_past', { values });
}

function expiryOf({ expiresAt }: Pick<GrantCommand, 'expiresAt'>, grantedAt: number) {
  return typeof expiresAt === 'object' && expiresAt !== null
    ? grantedAt + expiresAt.afterMs
    : expiresAt;
}

/** @throws Refusal `reference_reused` unless the entry is the same grant. */
function requireSame(entry: LedgerEntry, command: GrantCommand): void {
  const [lot] = entry.movements;
  const differs = [
    entry.kind !== 'grant' && 'entry kind',
    entry.accountId !== command.accountId && 'account',
    entry.amount !== command.amountCredits && 'amount',
    lot?.kind !== command.kind && 'credit kind',
    lot?.expiresAt !== expiryOf(command, entry.at) && 'expiry',
  ].filter((each) => each !== false);
  if (differs.length === 0) return;
  throw new Refusal('reference_reused', {
    message: `This reference was already used for a grant with a different ${differs.join(' and ')}. Nothing was granted. Use a new reference.`,
  });
}
