import type { Account } from '../../domain/accounts/account.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import { peopleOf } from '../../domain/teams/team.ts';
import { csvLine, escapeFormula } from '../../domain/text/text.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { App } from '../app.ts';
import type { Database } from '../ports/database.ts';
import type { GenerationLabel } from '../ports/generations.ts';
import { countAttempt, forgetAttempts } from '../signIn/attempts.ts';

/** Entries read and held in memory at a time, per export: the thread makes the text of a page at once. */
const pageSize = 100;

/** A running export. */
export interface LedgerExport {
  /** CSV (RFC 4180), one page of entries per text. Read it to its end, or close the export. */
  pages: AsyncGenerator<string>;
  /** Frees the account's slot for its next export; safe to repeat. */
  close(): Promise<void>;
}

/**
 * Opens an export of an account's ledger: one at a time across all processes, and at most thirty an hour, because each
 * reads the whole ledger. The slot of a killed process is free again after ten minutes.
 * @throws Refusal while another one is running, and beyond the limit.
 */
export async function openLedgerExport(
  deps: Pick<App, 'database' | 'attempts' | 'clock'>,
  account: Account,
): Promise<LedgerExport> {
  const { id: accountId } = account;
  await countAttempt(deps, 'ledgerExport', accountId);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await forgetAttempts(deps, [['ledgerExport', accountId]]);
  };
  try {
    await countAttempt(deps, 'ledgerDownload', accountId);
  } catch (error) {
    await close();
    throw error;
  }
  async function* writePages(): AsyncGenerator<string> {
    try {
      yield* writeLedgerCsv(deps, account);
    } finally {
      await close();
    }
  }
  return { pages: writePages(), close };
}

/** All entries of an account's ledger, oldest first; pages are read on demand. */
export async function* writeLedgerCsv(
  { database }: { database: Pick<Database, 'ledger' | 'generations'> },
  account: LedgerOwner,
): AsyncGenerator<string> {
  const { id: accountId } = account;
  const people = peopleOf(account);
  yield csvLine(columns);
  let balance = 0;
  for (let after = 0; ;) {
    const page = await database.ledger.listOldest(accountId, after, pageSize);
    const last = page.at(-1);
    if (!last) return;
    const labels = await loadLabels(database, accountId, page);
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
export async function loadLabels(
  { generations }: Pick<Database, 'generations'>,
  accountId: string,
  entries: readonly LedgerEntry[],
): Promise<ReadonlyMap<string, GenerationLabel>> {
  const ids = entries.flatMap(({ generationId }) => (generationId === null ? [] : [generationId]));
  const labels = ids.length === 0 ? [] : await generations.findLabels(accountId, [...new Set(ids)]);
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
