import { isFinal } from '@framegate/contract';
import { mendOf, type AuditProblem, type Note, type Unfinished } from './auditAccount.ts';
import { auditGeneration, auditHistory } from './auditGeneration.ts';
import type { AuditedGeneration, LedgerSnapshot } from './ports.ts';

/** The result of an audit. */
export interface AuditReport {
  accounts: number;
  generations: number;
  /** At most 1,000. */
  problems: AuditProblem[];
  /** Number of further problems. */
  problemsOmitted: number;
}

const maxProblems = 1000;
/** Adds reports up. */
export function sumOf(reports: readonly AuditReport[]): AuditReport {
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

/** Collects problems together with their fixes. */
export function collectProblems(): { note: Note; report: AuditReport } {
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

/** For an account without unfinished generations. */
export const none: Unfinished = { count: 0, waiting: 0, credits: 0 };

/** Counts a generation unless it has ended. */
export function addUnfinished(
  unfinished: Map<string, Unfinished>,
  { accountId, costCredits, step, status }: AuditedGeneration,
): void {
  if (isFinal(status)) return;
  const { count, waiting, credits } = unfinished.get(accountId) ?? none;
  unfinished.set(accountId, {
    count: count + 1,
    waiting: waiting + (step === 'waiting' ? 1 : 0),
    credits: credits + costCredits,
  });
}

/** Notes unfinished generations of accounts that do not exist. @param left Those that belong to no checked account. */
export function noteLeft(left: ReadonlyMap<string, Unfinished>, note: Note): void {
  for (const [id, { count }] of left) {
    const problem = `does not exist, but ${count} unfinished generations are of it`;
    note('I4', `accounts/${id}`, problem);
  }
}

/** Doubtful generations read at once. */
const maxDoubts = 1_000;

/**
 * Checks each generation once against all entries that name it, in any account.
 * @param withHistory Also checks the generation's own fields.
 */
export async function auditDoubts(
  snapshot: LedgerSnapshot,
  doubts: readonly string[],
  settled: Set<string>,
  note: Note,
  withHistory = false,
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
      if (generation) {
        auditGeneration(generation, own, note);
        if (withHistory) auditHistory(generation, note);
      } else {
        for (const entry of own) {
          const problem = `is a ${entry.kind} of generation ${id}, which does not exist`;
          note('I4', `ledger/${entry.id}`, problem);
        }
      }
    }
  }
}
