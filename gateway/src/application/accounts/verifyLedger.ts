import { isFinal } from '@framegate/contract';
import { PlainRefusal } from '../../domain/refusal.ts';
import {
  auditAccount,
  mendOf,
  type AccountAudit,
  type AuditProblem,
  type Note,
  type Unfinished,
} from './auditAccount.ts';
import { auditGeneration, auditHistory } from './auditGeneration.ts';
import { matchEntries } from './matchEntries.ts';
import type {
  AccountRange,
  AuditedAccount,
  AuditedGeneration,
  LedgerAudit,
  LedgerSnapshot,
} from './ports.ts';

/** The result of an audit. */
export interface AuditReport {
  accounts: number;
  generations: number;
  /** At most 1,000 of them. */
  problems: AuditProblem[];
  /** Number of further problems. */
  problemsOmitted: number;
}

const maxProblems = 1000;
/** Accounts that are checked together, and their ledger entries; an account with more is checked by itself. */
const maxPage = { accounts: 250, entries: 2_000 };
/** Pages that are read at the same time: the database reads some while others are checked. */
const pagesAtOnce = 4;
/** Doubtful generations that are read together. */
const maxDoubts = 1_000;

/**
 * Checks I1, I2, I4, I5, I6 and I9 over all stored data at one point in time: ranges of accounts, several at the
 * same time, each entry and each generation once.
 * @param accountId Checks only this account.
 */
export function verifyLedger(
  { audit }: { audit: LedgerAudit },
  accountId: string | null = null,
): Promise<AuditReport> {
  return audit.inSnapshot(accountId, async (snapshot) => {
    const settled = new Set<string>();
    const found: PageReport[] = [];
    const underWay = new Set<Promise<void>>();
    for await (const page of pagesOf(snapshot.accounts())) {
      const index = found.length;
      found.push({ accounts: 0, generations: 0, problems: [], problemsOmitted: 0 });
      const done = auditPage(snapshot, page, settled).then((report) => {
        found[index] = report;
        underWay.delete(done);
      });
      underWay.add(done);
      if (underWay.size >= pagesAtOnce) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    const report = sumOf(found);
    if (accountId !== null && report.accounts === 0) {
      throw new PlainRefusal(`There is no account ${accountId}.`);
    }
    return report;
  });
}

function sumOf(reports: readonly AuditReport[]): AuditReport {
  const sum = (of: (report: AuditReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const problems = reports.flatMap((report) => report.problems);
  return {
    accounts: sum(({ accounts }) => accounts),
    generations: sum(({ generations }) => generations),
    problems: problems.slice(0, maxProblems),
    problemsOmitted:
      Math.max(0, problems.length - maxProblems) + sum(({ problemsOmitted }) => problemsOmitted),
  };
}

type PageReport = AuditReport;

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
): Promise<PageReport> {
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
      if (!isFinal(generation.status)) addUnfinished(unfinished, generation);
      matching.addGeneration(generation);
    }
  }
  await auditDoubts(snapshot, matching.doubts(), settled, ofGenerations.note);
  for (const { id } of accounts) audits.get(id)?.finish(unfinished.get(id) ?? none);
  for (const [id, { count }] of unfinished) {
    if (audits.has(id)) continue;
    const problem = `does not exist, but ${count} unfinished generations are of it`;
    ofAccounts.note('I4', `accounts/${id}`, problem);
  }
  const parts = [ofGenerations, ofAccounts].map(({ report }) => report);
  return { ...sumOf(parts), accounts: accounts.length, generations };
}

/** For an account without unfinished generations. */
const none: Unfinished = { count: 0, waiting: 0, credits: 0 };

function addUnfinished(
  unfinished: Map<string, Unfinished>,
  { accountId, costCredits, step }: AuditedGeneration,
): void {
  const { count, waiting, credits } = unfinished.get(accountId) ?? none;
  unfinished.set(accountId, {
    count: count + 1,
    waiting: waiting + (step === 'waiting' ? 1 : 0),
    credits: credits + costCredits,
  });
}

/** Collects problems, with how to mend them. */
function collectProblems(): { note: Note; report: AuditReport } {
  const report: AuditReport = { accounts: 0, generations: 0, problems: [], problemsOmitted: 0 };
  return {
    report,
    note(invariant, document, problem) {
      const mend = mendOf(invariant, document);
      if (report.problems.length >= maxProblems) report.problemsOmitted += 1;
      else report.problems.push({ invariant, document, problem, mend });
    },
  };
}

/** Checks generations against all entries that name them, whosever they are; each one once. */
async function auditDoubts(
  snapshot: LedgerSnapshot,
  doubts: readonly string[],
  settled: Set<string>,
  note: Note,
): Promise<void> {
  const open = doubts.filter((id) => !settled.has(id));
  for (const id of open) settled.add(id);
  for (let begin = 0; begin < open.length; begin += maxDoubts) {
    const ids = open.slice(begin, begin + maxDoubts);
    const generations = await snapshot.findGenerations(ids);
    const byId = new Map(generations.map((generation) => [generation.id, generation]));
    const entries = Map.groupBy(
      await snapshot.findEntries(ids),
      ({ generationId }) => generationId ?? '',
    );
    for (const id of ids) {
      const generation = byId.get(id);
      const own = entries.get(id) ?? [];
      if (generation) auditGeneration(generation, own, note);
      else {
        for (const entry of own) {
          const problem = `is a ${entry.kind} of generation ${id}, which does not exist`;
          note('I4', `ledger/${entry.id}`, problem);
        }
      }
    }
  }
}
