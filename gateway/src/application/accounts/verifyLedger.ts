import { PlainRefusal } from '../../domain/refusal.ts';
import { auditAccount, type AccountAudit, type Unfinished } from './auditAccount.ts';
import { auditHistory } from './auditGeneration.ts';
import {
  addUnfinished,
  auditDoubts,
  collectProblems,
  none,
  noteLeft,
  sumOf,
  type AuditReport,
} from './auditReport.ts';
import type {
  AccountRange,
  AuditedAccount,
  CheckpointWriter,
  LedgerAudit,
  LedgerSnapshot,
} from './ports.ts';
import { matchEntries } from './matchEntries.ts';

/** Accounts that are checked together, and their ledger entries; an account with more is checked by itself. */
const maxPage = { accounts: 250, entries: 2_000 };
/** Pages that are read at the same time: the database reads some while others are checked. */
const pagesAtOnce = 4;

/** Where a whole check notes that all was right, and when it began, in ms since the epoch. */
export interface WantedCheckpoint {
  writer: CheckpointWriter;
  at: number;
}

/**
 * Checks I1, I2, I4, I5, I6 and I9 over all stored data at one point in time: ranges of accounts, several at the
 * same time, each entry and each generation once.
 * @param accountId Checks only this account.
 * @param checkpoint Is kept if there is no problem.
 */
export function verifyLedger(
  { audit }: { audit: LedgerAudit },
  accountId: string | null = null,
  checkpoint: WantedCheckpoint | null = null,
): Promise<AuditReport> {
  return audit.inSnapshot(accountId, (snapshot) =>
    withCheckpoint(snapshot, checkpoint, async (keep) => {
      const settled = new Set<string>();
      const found: AuditReport[] = [];
      const underWay = new Set<Promise<void>>();
      for await (const page of pagesOf(snapshot.accounts())) {
        const index = found.length;
        found.push(nothing);
        const done = auditPage(snapshot, page, settled).then((report) => {
          found[index] = report;
          underWay.delete(done);
        });
        // It stays under way, and fails where it is waited for.
        done.catch(() => undefined);
        underWay.add(done);
        await keep(page.accounts);
        if (underWay.size >= pagesAtOnce) await Promise.race(underWay);
      }
      await Promise.all(underWay);
      const report = sumOf(found);
      if (accountId !== null && report.accounts === 0) {
        throw new PlainRefusal(`There is no account ${accountId}.`);
      }
      return report;
    }),
  );
}

const nothing: AuditReport = { accounts: 0, generations: 0, problems: [], problemsOmitted: 0 };

/** Does a check that passes on all accounts, by id, and keeps them as a checkpoint where it finds no problem. */
export async function withCheckpoint(
  snapshot: LedgerSnapshot,
  wanted: WantedCheckpoint | null,
  check: (keep: (accounts: readonly AuditedAccount[]) => Promise<void>) => Promise<AuditReport>,
): Promise<AuditReport> {
  if (wanted === null) return check(async () => undefined);
  const { writer, at } = wanted;
  const open: string[] = [];
  for await (const page of snapshot.unfinished()) open.push(...page.map(({ id }) => id));
  let isRight = false;
  try {
    await writer.begin({ at, open });
    const report = await check((accounts) => writer.add(accounts));
    isRight = report.problems.length === 0;
    return report;
  } finally {
    await writer.end(isRight);
  }
}

/** Accounts whose ids follow each other, and the range of ids up to the next page. */
interface Page {
  accounts: AuditedAccount[];
  range: AccountRange;
}

/** Puts accounts into pages whose ranges cover all ids: what is of no account is found in one of them. */
async function* pagesOf(stream: AsyncIterable<readonly AuditedAccount[]>): AsyncGenerator<Page> {
  let accounts: AuditedAccount[] = [];
  let from = '';
  let entries = 0;
  for await (const read of stream) {
    for (const account of read) {
      entries += account.ledgerEntries;
      if (
        accounts.length > 0 &&
        (entries > maxPage.entries || accounts.length >= maxPage.accounts)
      ) {
        yield { accounts, range: { from, before: account.id } };
        [accounts, from, entries] = [[], account.id, account.ledgerEntries];
      }
      accounts.push(account);
    }
  }
  yield { accounts, range: { from, before: null } };
}

/** Checks the accounts of a page, all entries and generations in its range. @param settled Doubts of all pages. */
async function auditPage(
  snapshot: LedgerSnapshot,
  { accounts, range }: Page,
  settled: Set<string>,
): Promise<AuditReport> {
  const [ofGenerations, ofAccounts] = [collectProblems(), collectProblems()];
  const audits = new Map<string, AccountAudit>();
  for (const account of accounts) audits.set(account.id, auditAccount(account, ofAccounts.note));
  const unfinished = new Map<string, Unfinished>();
  const matching = matchEntries();
  let generations = 0;

  const reads = {
    entries: snapshot.entries(range)[Symbol.asyncIterator](),
    generations: snapshot.generations(range)[Symbol.asyncIterator](),
  };
  const isOver = { entries: false, generations: false };
  while (!isOver.entries || !isOver.generations) {
    // The stream that is behind: little waits for its counterpart then.
    const readsEntries = isOver.generations || (!isOver.entries && !matching.lacksGenerations());
    if (readsEntries) {
      const next = await reads.entries.next();
      isOver.entries = next.done === true;
      for (const entry of next.done === true ? [] : next.value) {
        const audit = audits.get(entry.accountId);
        if (audit) audit.add(entry);
        else {
          const problem = `is of account ${entry.accountId}, which does not exist`;
          ofAccounts.note('I1', `ledger/${entry.id}`, problem);
        }
        matching.addEntry(entry);
      }
      continue;
    }
    const next = await reads.generations.next();
    isOver.generations = next.done === true;
    for (const generation of next.done === true ? [] : next.value) {
      generations += 1;
      auditHistory(generation, ofGenerations.note);
      addUnfinished(unfinished, generation);
      matching.addGeneration(generation);
    }
  }
  await auditDoubts(snapshot, matching.doubts(), settled, ofGenerations.note);
  for (const { id } of accounts) {
    audits.get(id)?.finish(unfinished.get(id) ?? none);
    unfinished.delete(id);
  }
  noteLeft(unfinished, ofAccounts.note);
  const parts = [ofGenerations, ofAccounts].map(({ report }) => report);
  return { ...sumOf(parts), accounts: accounts.length, generations };
}
