import type {
  AccountDecision,
  EndOfAccess,
  GenerationEnd,
  GenerationMove,
} from '../../../application/ports/database.ts';
import type { QueuedMail } from '../../../application/ports/mails.ts';
import type { OperatorRecords } from '../../../application/ports/operator.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { changeSequence, type StoredEvent } from '../../../domain/accounts/accountEvent.ts';
import type { ErasedPerson } from '../../../domain/accounts/erasure.ts';
import type { LedgerEntry } from '../../../domain/credits/ledgerChain.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { RealPersonAudit } from '../../../domain/generations/realPerson.ts';
import type { TeamLogEntry } from '../../../domain/teams/teamLog.ts';

/** The writes of consecutive decisions about one account, as one unit of work. */
export interface AccountUnit {
  before: Account;
  after: Account;
  /** Number of decisions. */
  decisions: number;
  spendsBefore: number;
  inserts: Generation[];
  audits: RealPersonAudit[];
  ends: GenerationEnd[];
  moves: GenerationMove[];
  entries: LedgerEntry[];
  jobs: { generationId: string; runAt: number }[];
  /** Acts that end access, in order. */
  accessEnds: EndOfAccess[];
  /** Erasures to note. */
  erasures: (ErasedPerson | null)[];
  /** Entries of the account's log. */
  log: TeamLogEntry[];
  mails: QueuedMail[];
  events: StoredEvent[];
  records: OperatorRecords[];
}

/** Merges decisions; null when they change nothing. */
export function unitOf(
  before: Account,
  decisions: readonly AccountDecision<unknown>[],
): AccountUnit | null {
  const after = decisions.at(-1)?.after ?? before;
  const unit: AccountUnit = {
    before,
    after,
    decisions: decisions.length,
    spendsBefore: Math.min(...decisions.map(({ spendsBefore = Infinity }) => spendsBefore)),
    inserts: decisions.flatMap(({ insert }) => insert ?? []),
    audits: decisions.flatMap(({ audit }) => audit ?? []),
    ends: decisions.flatMap(({ end }, turn) => (end ? positionedEnd(end, before, turn) : [])),
    moves: decisions.flatMap(({ moves }) => moves ?? []),
    entries: decisions.flatMap(({ entry }) => entry ?? []),
    jobs: decisions.flatMap(({ job }) => job ?? []),
    accessEnds: decisions.flatMap(({ ends: end }) => end ?? []),
    erasures: decisions.flatMap(({ erases }) => (erases === undefined ? [] : [erases])),
    log: decisions.flatMap(({ log = [] }) => log),
    mails: decisions.flatMap(({ mails }) => mails ?? []),
    events: decisions.flatMap((decision, turn) => eventsOf(decision, before, turn)),
    records: decisions.flatMap(({ records }) => records ?? []),
  };
  const { inserts, ends, moves, entries, records, accessEnds, erasures } = unit;
  const writes = [inserts, ends, moves, entries, records, accessEnds, erasures];
  const isEmpty = writes.every(({ length }) => length === 0);
  return after === before && isEmpty ? null : unit;
}

/** The end with its position in the account's ends. */
const positionedEnd = (end: GenerationEnd, { version }: Account, turn: number): GenerationEnd => ({
  ...end,
  change: { ...end.change, endSequence: changeSequence(version + 1, turn) },
});

function eventsOf(
  { after, events = [] }: AccountDecision<unknown>,
  { id: accountId, version }: Account,
  turn: number,
): StoredEvent[] {
  const sequence = changeSequence(version + 1, turn);
  return events.map(({ fact, at }, index) => ({
    id: `${accountId} ${sequence} ${index}`,
    subject: accountId,
    accountId,
    number: after.ledgerEntries,
    sequence,
    at,
    fact,
  }));
}
