import type { Account } from '../../domain/accounts/account.ts';
import {
  availableCredits,
  compareLots,
  type LedgerEntry,
  type Lot,
} from '../../domain/credits/credits.ts';
import { peopleOf } from '../../domain/teams/team.ts';
import { csvLine, escapeFormula } from '../../domain/text/text.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import { dayMs, dayNumberOf } from '../../domain/time/utcDay.ts';
import { createKeptReads } from '../keptReads.ts';
import type { Database } from '../ports/database.ts';
import type { GenerationLabel, Spending } from '../ports/generations.ts';
import type { Clock } from '../ports/system.ts';
import { countAttempt, forgetAttempts } from './attempts.ts';
import type { App } from '../app.ts';

/** An account's credits as its owner sees them. */
export interface ShownCredits {
  available: number;
  inFlight: number;
  /** Spendable lots, in spending order. */
  lots: Lot[];
}

export function shownCredits(account: Account, nowMs: number): ShownCredits {
  const live = account.lots.filter(
    (lot) => lot.remaining > 0 && (lot.expiresAt === null || lot.expiresAt > nowMs),
  );
  return {
    available: availableCredits(account.lots, nowMs),
    inFlight: account.inFlightCredits,
    lots: live.toSorted(compareLots),
  };
}

/** Entries read and held in memory at a time, per export. */
const pageSize = 500;

/** A running export. */
export interface LedgerExport {
  /** CSV (RFC 4180), one page of entries per text. Read it to its end, or close the export. */
  pages: AsyncGenerator<string>;
  /** Frees the account's slot for its next export; safe to repeat. */
  close(): Promise<void>;
}

/**
 * Opens an export of an account's ledger: one at a time over all processes and at most thirty an hour, because each
 * reads the whole ledger. The slot of a killed process is free again after ten minutes.
 * @throws Refusal while another one is running, and beyond the limit.
 */
export async function openLedgerExport(
  deps: Pick<App, 'database' | 'attempts' | 'clock'>,
  account: Account,
): Promise<LedgerExport> {
  const { id: accountId } = account;
  await countAttempt(deps, 'ledgerExport', accountId);
  let open = true;
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await forgetAttempts(deps, [['ledgerExport', accountId]]);
  };
  try {
    await countAttempt(deps, 'ledgerDownload', accountId);
  } catch (error) {
    await close();
    throw error;
  }
  async function* pages(): AsyncGenerator<string> {
    try {
      yield* ledgerCsv(deps, account);
    } finally {
      await close();
    }
  }
  return { pages: pages(), close };
}

/** All entries of an account's ledger, oldest first; pages are read on demand. */
export async function* ledgerCsv(
  { database }: { database: Pick<Database, 'ledger' | 'generations'> },
  account: LedgerOwner,
): AsyncGenerator<string> {
  const { id: accountId } = account;
  const people = peopleOf(account);
  yield csvLine(columns);
  let balance = 0;
  for (let after = 0; ;) {
    const page = await database.ledger.oldest(accountId, after, pageSize);
    const last = page.at(-1);
    if (!last) return;
    const labels = await labelsOf(database, accountId, page);
    const lines = page.map((entry) => {
      balance += entry.amount;
      const label = labels.get(entry.generationId ?? '');
      return csvLine([...cells(entry, label, balance), personOf(account, people, label)]);
    });
    yield lines.join('');
    after = last.number;
  }
}

/** Later versions may append columns. */
const columns = [
  'number',
  'time',
  'kind',
  'credits',
  'generation',
  'lots',
  'reason',
  'request',
  'model',
  'key',
  'balance',
  'person',
] as const;

/** The owner of a ledger, and the people who spend its credits. */
type LedgerOwner = Pick<Account, 'id' | 'email' | 'members' | 'keys'>;

/** Labels of these entries' generations, by id. */
export async function labelsOf(
  { generations }: Pick<Database, 'generations'>,
  accountId: string,
  entries: readonly LedgerEntry[],
): Promise<ReadonlyMap<string, GenerationLabel>> {
  const ids = entries.flatMap(({ generationId }) => (generationId === null ? [] : [generationId]));
  const labels = ids.length === 0 ? [] : await generations.labels(accountId, [...new Set(ids)]);
  return new Map(labels.map((label) => [label.id, label]));
}

function cells(entry: LedgerEntry, label: GenerationLabel | undefined, balance: number): string[] {
  const lots = entry.movements.map(({ lotId, amount }) => `${lotId} ${amount}`).join('; ');
  return [
    String(entry.number),
    isoTime(entry.at),
    entry.kind,
    String(entry.amount),
    entry.generationId ?? '',
    lots,
    escapeFormula(entry.reason ?? ''),
    entry.requestId,
    label?.model ?? '',
    label?.keyId ?? '',
    String(balance),
  ];
}

/** The address of the member who made a generation or its key; empty if unknown. */
function personOf(
  { id, keys }: LedgerOwner,
  people: ReadonlyMap<string, string>,
  label: GenerationLabel | undefined,
): string {
  const maker = label?.madeBy ?? keys.find((key) => key.id === label?.keyId)?.madeBy?.id;
  if (maker === undefined) return '';
  return escapeFormula(people.get(maker) ?? (maker === id ? '' : 'former member'));
}

/** Days in the chart of an account's spending, including today. */
export const spendingDays = 30;

/** Maximum generations read; a larger account sees the newest ones. */
const maxGenerations = 20_000;

/** Lifetime of a cached result, in ms, and maximum number of cached accounts. */
const keptMs = 60_000;
const maxKept = 500;

/** The cost of an account's generations in the last days. */
export interface AccountSpending {
  parts: Spending[];
  /** The start of each UTC day, oldest first, in ms since the epoch. */
  days: number[];
  /** Whether there were more generations than were read. */
  isPartial: boolean;
}

/** Creates a reader of accounts' spending that reads each account at most once a minute. */
export function createSpendingReader({
  database,
  clock,
}: {
  database: Pick<Database, 'generations'>;
  clock: Pick<Clock, 'now'>;
}): (accountId: string) => Promise<AccountSpending> {
  async function read(accountId: string, now: number): Promise<AccountSpending> {
    const first = dayNumberOf(now) - spendingDays + 1;
    const since = first * dayMs;
    const parts = await database.generations.spending(accountId, since, maxGenerations);
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const days = Array.from({ length: spendingDays }, (_, index) => (first + index) * dayMs);
    return { parts, days, isPartial: count >= maxGenerations };
  }

  const keptUntil = (_accountId: string, begunAt: number) => begunAt + keptMs;
  return createKeptReads(clock, { max: maxKept, read, keptUntil });
}

/** Sums by name and day, most expensive first. */
export function spendingSeries(
  { parts, days }: AccountSpending,
  nameOf: (part: Spending) => string,
): { name: string; values: number[] }[] {
  return [...Map.groupBy(parts, nameOf)]
    .map(([name, own]) => {
      const values = days.map((day) =>
        own.reduce((sum, part) => sum + (part.day === day ? part.credits : 0), 0),
      );
      return { name, values, total: values.reduce((sum, value) => sum + value, 0) };
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .map(({ name, values }) => ({ name, values }));
}
