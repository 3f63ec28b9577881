import type {
  AccountRange,
  AuditedAccount,
  GenerationToCheck,
  LedgerSnapshot,
} from '../../ports/ledgerAudit.ts';
import { type AccountAudit, auditAccount } from './auditAccount.ts';
import { auditHistory } from './auditGeneration.ts';
import { addSpending, auditMonths, type SpendingSums } from './auditMonths.ts';
import { auditNames, type NamesCounted } from './auditNames.ts';
import { type AuditReport, collectProblems } from './auditReport.ts';
import { matchEntries } from './matchEntries.ts';
import {
  addUnfinished,
  noUnfinished,
  recordUnowned,
  type UnfinishedSums,
} from './unfinishedSums.ts';

/** Accounts with consecutive ids, and the id range up to the next page. */
export interface AuditPage {
  accounts: AuditedAccount[];
  range: AccountRange;
}

/** The findings of a page. */
export interface PageFindings {
  ofGenerations: AuditReport;
  doubts: GenerationToCheck[];
  ofAccounts: AuditReport;
  names: NamesCounted;
}

/** Checks pages in its own thread. */
export interface AuditThread {
  /** @throws Error if the thread has failed. */
  check(page: AuditPage): Promise<PageFindings>;
  end(): Promise<void>;
}

/** Starts threads on otherwise idle processors. */
export interface AuditThreads {
  /** Number of useful threads. */
  count: number;
  /** Number of pages from which starting them pays off. */
  afterPages: number;
  /** @param moment The snapshot to read. */
  start(moment: string): AuditThread;
}

/** Checks a page: its accounts, and all entries and generations in its range. */
export async function auditPage(
  snapshot: Pick<
    LedgerSnapshot,
    'listEntries' | 'listGenerations' | 'at' | 'findReferences' | 'findLookups'
  >,
  { accounts, range }: AuditPage,
): Promise<PageFindings> {
  const [ofGenerations, ofAccounts] = [collectProblems(), collectProblems()];
  const audits = new Map<string, AccountAudit>();
  for (const account of accounts) audits.set(account.id, auditAccount(account, ofAccounts.record));
  const unfinished = new Map<string, UnfinishedSums>();
  const matching = matchEntries();
  const names = auditNames(snapshot, ofAccounts.record);
  const spending: SpendingSums = new Map();
  let generations = 0;

  const reads = {
    entries: snapshot.listEntries(range)[Symbol.asyncIterator](),
    generations: snapshot.listGenerations(range)[Symbol.asyncIterator](),
  };
  const ended = { entries: false, generations: false };
  while (!ended.entries || !ended.generations) {
    // Reads the stream that is behind, so that few items wait for their counterpart.
    const readsEntries = ended.generations || (!ended.entries && !matching.lacksGenerations());
    if (readsEntries) {
      const next = await reads.entries.next();
      ended.entries = next.done === true;
      for (const entry of next.done === true ? [] : next.value) {
        const audit = audits.get(entry.accountId);
        if (audit) {
          audit.add(entry);
        } else {
          const problem = `belongs to account ${entry.accountId}, which does not exist`;
          ofAccounts.record('I1', `ledger/${entry.id}`, problem);
        }
        matching.addEntry(entry);
        if (entry.reference !== undefined) await names.addEntry(entry);
      }
      continue;
    }
    const next = await reads.generations.next();
    ended.generations = next.done === true;
    for (const generation of next.done === true ? [] : next.value) {
      generations += 1;
      auditHistory(generation, snapshot.at, ofGenerations.record);
      addUnfinished(unfinished, generation);
      matching.addGeneration(generation);
      addSpending(spending, generation);
    }
  }
  for (const account of accounts) {
    const { id } = account;
    audits.get(id)?.finish(unfinished.get(id) ?? noUnfinished);
    unfinished.delete(id);
    auditMonths(account, spending.get(id)?.values() ?? [], ofAccounts.record);
    await names.addAccount(account);
  }
  recordUnowned(unfinished, ofAccounts.record);
  return {
    ofGenerations: { ...ofGenerations.report, generations },
    doubts: matching.doubts(),
    ofAccounts: { ...ofAccounts.report, accounts: accounts.length },
    names: await names.finish(),
  };
}
