import { sum } from '@framegate/contract';
import type { GenerationToCheck, LedgerSnapshot } from '../../ports/ledgerAudit.ts';
import { auditGeneration, auditHistory } from './auditGeneration.ts';
import { type AuditProblem, type RecordProblem, remedyOf } from './auditProblems.ts';

/** The result of an audit. */
export interface AuditReport {
  accounts: number;
  generations: number;
  /** The first 1,000 problems. */
  problems: AuditProblem[];
  /** Number of further problems. */
  problemsOmitted: number;
}

const maxProblems = 1000;
/** Adds reports up. */
export function sumOf(reports: readonly AuditReport[]): AuditReport {
  const problems = reports.flatMap((report) => report.problems);
  return {
    accounts: sum(reports.map(({ accounts }) => accounts)),
    generations: sum(reports.map(({ generations }) => generations)),
    problems: problems.slice(0, maxProblems),
    problemsOmitted:
      Math.max(0, problems.length - maxProblems) +
      sum(reports.map(({ problemsOmitted }) => problemsOmitted)),
  };
}

/** Collects problems together with their fixes. */
export function collectProblems(): { record: RecordProblem; report: AuditReport } {
  const report: AuditReport = { accounts: 0, generations: 0, problems: [], problemsOmitted: 0 };
  return {
    report,
    record(invariant, document, problem) {
      const remedy = remedyOf(invariant, document);
      if (report.problems.length >= maxProblems) report.problemsOmitted += 1;
      else report.problems.push({ invariant, document, problem, remedy });
    },
  };
}

/** Doubtful generations read at a time. */
const maxDoubts = 1_000;

/** The accounts with which each generation was checked, by its id. */
export type SettledDoubts = Map<string, Set<string>>;

/** Notes doubts as settled. @returns Those that were not. */
function settle(settled: SettledDoubts, doubts: readonly GenerationToCheck[]): GenerationToCheck[] {
  return doubts.filter(({ generationId, accountId }) => {
    const accountIds = settled.get(generationId);
    if (accountIds && (accountId === null || accountIds.has(accountId))) return false;
    const checked = accountIds ?? new Set();
    if (accountId !== null) checked.add(accountId);
    settled.set(generationId, checked);
    return true;
  });
}

/**
 * Checks each generation once against the entries that name it, of its own account and of those in doubt.
 * @param withHistory Also checks the generation's own fields.
 */
export async function auditDoubts(
  snapshot: LedgerSnapshot,
  doubts: readonly GenerationToCheck[],
  settled: SettledDoubts,
  record: RecordProblem,
  withHistory = false,
): Promise<void> {
  const unsettled = settle(settled, doubts);
  for (let first = 0; first < unsettled.length; first += maxDoubts) {
    const page = unsettled.slice(first, first + maxDoubts);
    const ids = [...new Set(page.map(({ generationId }) => generationId))];
    const generations = await snapshot.findGenerations(ids);
    const byId = new Map(generations.map((generation) => [generation.id, generation]));
    const accountIds = [...page, ...generations].flatMap(({ accountId }) => accountId ?? []);
    const names = { generationIds: ids, accountIds: [...new Set(accountIds)] };
    const entries = Map.groupBy(
      await snapshot.findEntries(names),
      ({ generationId }) => generationId ?? '',
    );
    for (const id of ids) {
      const generation = byId.get(id);
      const own = entries.get(id) ?? [];
      for (const { accountId } of generation ? [generation, ...own] : own) {
        settled.get(id)?.add(accountId);
      }
      if (generation) {
        auditGeneration(generation, own, record);
        if (withHistory) auditHistory(generation, snapshot.at, record);
        continue;
      }
      if (own.length === 0) record('I4', `generations/${id}`, 'was unfinished and does not exist');
      for (const entry of own) {
        const problem = `is a ${entry.kind} of generation ${id}, which does not exist`;
        record('I4', `ledger/${entry.id}`, problem);
      }
    }
  }
}
