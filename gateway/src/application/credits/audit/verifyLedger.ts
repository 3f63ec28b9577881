import { Refusal } from '../../../domain/refusal.ts';
import type {
  AuditedAccount,
  CheckpointWriter,
  LedgerAudit,
  LedgerSnapshot,
} from '../../ports/ledgerAudit.ts';
import { auditCounters, type NamesCounted } from './auditNames.ts';
import { type AuditPage, auditPage, type AuditThread, type AuditThreads } from './auditPage.ts';
import {
  auditDoubts,
  type AuditReport,
  collectProblems,
  type SettledDoubts,
  sumOf,
} from './auditReport.ts';

/** Maximum size of a page; an account with more entries is checked on its own. */
const maxPage = { accounts: 250, entries: 2_000 };
/** Pages in progress per thread: the database reads some while others are checked. */
const maxPagesAtOnce = 4;

/** Where a clean check of everything is recorded, and its start in ms since the epoch. */
export interface RequestedCheckpoint {
  writer: CheckpointWriter;
  at: number;
}

/**
 * Checks I1, I2, I4, I5, I6 and I9 over all stored data at one point in time: several ranges of accounts in parallel,
 * each entry and each generation once.
 * @param deps.threads Help to check a large ledger.
 * @param accountId Checks only this account.
 * @param checkpoint Kept if there is no problem.
 */
export function verifyLedger(
  { ledgerAudit, threads }: { ledgerAudit: LedgerAudit; threads?: AuditThreads },
  accountId: string | null = null,
  checkpoint: RequestedCheckpoint | null = null,
): Promise<AuditReport> {
  return ledgerAudit.runInSnapshot(accountId, async (snapshot) => {
    const unfinished = checkpoint ? await listUnfinishedIds(snapshot) : [];
    return withCheckpoint(checkpoint, unfinished, async (keep) => {
      const pool = createAuditPool(snapshot, threads);
      try {
        for await (const page of listPages(snapshot.listAccounts())) {
          await pool.check(page);
          await keep(page.accounts);
        }
        const { reports, names } = await pool.loadFindings();
        const { record, report: ofCounters } = collectProblems();
        if (accountId === null) await auditCounters(snapshot, names, record);
        const report = sumOf([...reports, ofCounters]);
        if (accountId !== null && report.accounts === 0) {
          throw new Refusal('account_not_found');
        }
        return report;
      } finally {
        await pool.end();
      }
    });
  });
}

async function listUnfinishedIds(snapshot: LedgerSnapshot): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of snapshot.listUnfinished()) ids.push(...page.map(({ id }) => id));
  return ids;
}

/** The threads that check pages: only this one at first, more once there are many pages. */
function createAuditPool(snapshot: LedgerSnapshot, threads: AuditThreads | undefined) {
  interface Checker {
    check: AuditThread['check'];
    pages: number;
  }
  const checkers: Checker[] = [{ check: (page) => auditPage(snapshot, page), pages: 0 }];
  const started: AuditThread[] = [];
  const reports: AuditReport[][] = [];
  const namesCounted: NamesCounted = { references: 0, accountLookups: 0 };
  const underWay = new Set<Promise<void>>();
  const settled: SettledDoubts = new Map();

  function startThreads(all: AuditThreads): void {
    while (started.length < all.count) {
      const thread = all.start(snapshot.moment);
      started.push(thread);
      // Placed before this thread, which also reads the accounts and settles doubts.
      checkers.unshift({ check: (page) => thread.check(page), pages: 0 });
    }
  }

  async function checkBy(checker: Checker, page: AuditPage, index: number): Promise<void> {
    checker.pages += 1;
    const { ofGenerations, doubts, ofAccounts, names } = await checker.check(page);
    namesCounted.references += names.references;
    namesCounted.accountLookups += names.accountLookups;
    checker.pages -= 1;
    const ofDoubts = collectProblems();
    await auditDoubts(snapshot, doubts, settled, ofDoubts.record);
    reports[index] = [ofGenerations, ofDoubts.report, ofAccounts];
  }

  return {
    /** Resolves when the next page can be taken. */
    async check(page: AuditPage): Promise<void> {
      const index = reports.push([]) - 1;
      if (threads && index === threads.afterPages) startThreads(threads);
      const [first, ...others] = checkers as [Checker, ...Checker[]];
      const checker = others.reduce((idle, each) => (each.pages < idle.pages ? each : idle), first);
      const checking = checkBy(checker, page, index).then(() => {
        underWay.delete(checking);
      });
      // The page stays in progress; a failure surfaces where it is awaited.
      checking.catch(() => undefined);
      underWay.add(checking);
      if (underWay.size >= checkers.length * maxPagesAtOnce) await Promise.race(underWay);
    },
    async loadFindings(): Promise<{ reports: AuditReport[]; names: NamesCounted }> {
      await Promise.all(underWay);
      return { reports: reports.flat(), names: namesCounted };
    },
    async end(): Promise<void> {
      await Promise.all(started.map((thread) => thread.end()));
    },
  };
}

/**
 * Runs a check that passes all accounts on, by id, and keeps them as a checkpoint if it finds no problem.
 * @param unfinished The unfinished generations.
 */
export async function withCheckpoint(
  request: RequestedCheckpoint | null,
  unfinished: readonly string[],
  check: (keep: (accounts: readonly AuditedAccount[]) => Promise<void>) => Promise<AuditReport>,
): Promise<AuditReport> {
  if (request === null) return check(async () => undefined);
  const { writer, at } = request;
  let isRight = false;
  try {
    await writer.begin({ at, open: unfinished });
    const report = await check((accounts) => writer.add(accounts));
    isRight = report.problems.length === 0;
    return report;
  } finally {
    await writer.end(isRight);
  }
}

/** Groups accounts into pages whose ranges cover all ids, so that data without an account is found as well. */
async function* listPages(
  stream: AsyncIterable<readonly AuditedAccount[]>,
): AsyncGenerator<AuditPage> {
  let accounts: AuditedAccount[] = [];
  let from = '';
  let entries = 0;
  for await (const page of stream) {
    for (const account of page) {
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
