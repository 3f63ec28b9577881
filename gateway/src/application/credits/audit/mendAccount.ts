import {
  type DerivedState,
  mendedAccount,
  type MendedValue,
} from '../../../domain/credits/mendedAccount.ts';
import { isMonthOf } from '../../../domain/credits/plan.ts';
import { rebuildLots } from '../../../domain/credits/rebuildLots.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Database } from '../../ports/database.ts';
import type { AuditedAccount, LedgerAudit, LedgerSnapshot } from '../../ports/ledgerAudit.ts';
import { addSpending, monthShortfalls, type SpendingSums } from './auditMonths.ts';
import type { AuditProblem } from './auditProblems.ts';
import { addUnfinished, noUnfinished, type UnfinishedSums } from './unfinishedSums.ts';
import { verifyLedger } from './verifyLedger.ts';

/** The mended fields, and the problems left to people. */
interface MendResult {
  changes: MendedValue[];
  /** Problems that the account has afterwards. */
  problems: AuditProblem[];
}

/** Problems after which an account's ledger proves nothing. */
const ledgerProblemPattern = /counts \d+ ledger entries|names another hash/;

/**
 * Derives an account from its ledger and writes it under the compared version; the ledger itself never changes. A
 * healthy account is not written.
 * @param isDryRun Only shows the changes.
 * @throws Refusal `account_not_found`, `ledger_damaged`, `account_changed`.
 */
export async function mendAccount(
  deps: { ledgerAudit: LedgerAudit; database: Pick<Database, 'changeAccount'> },
  accountId: string,
  isDryRun: boolean,
): Promise<MendResult> {
  const verify = async () =>
    (await verifyLedger({ ledgerAudit: deps.ledgerAudit }, accountId)).problems;
  const before = await verify();
  if (before.length === 0) return { changes: [], problems: [] };
  const own = before.find(
    ({ document, problem }) => document.startsWith('ledger/') || ledgerProblemPattern.test(problem),
  );
  if (own) {
    const { document, problem, remedy } = own;
    throw new Refusal('ledger_damaged', { values: { document, problem, remedy } });
  }
  const { account, derived } = await deps.ledgerAudit.runInSnapshot(accountId, loadState);
  const { changes } = mendedAccount(withKeys(account), account.nextExpiryAt, derived);
  if (isDryRun || changes.length === 0) return { changes, problems: before };
  await deps.database.changeAccount(accountId, (current) => {
    if (current.version !== account.version) throw new Refusal('account_changed');
    const { fields } = mendedAccount(current, account.nextExpiryAt, derived);
    return { after: { ...current, ...fields }, result: undefined };
  });
  return { changes, problems: await verify() };
}

/** A comparison needs only the audited part of the keys. */
const withKeys = (account: AuditedAccount) =>
  account as AuditedAccount & Parameters<typeof mendedAccount>[0];

async function loadState(
  snapshot: LedgerSnapshot,
): Promise<{ account: AuditedAccount; derived: DerivedState }> {
  let account: AuditedAccount | null = null;
  for await (const page of snapshot.listAccounts()) account ??= page[0] ?? null;
  if (!account) throw new Refusal('account_not_found');
  const all = { from: account.id, before: null };
  const rebuilt = rebuildLots([]);
  let months = 0;
  for await (const page of snapshot.listEntries(all)) {
    for (const entry of page) {
      rebuilt.apply(entry);
      if (isMonthOf(account.plan, entry.reference)) months += 1;
    }
  }
  const unfinished = new Map<string, UnfinishedSums>();
  const spending: SpendingSums = new Map();
  for await (const page of snapshot.listGenerations(all)) {
    for (const generation of page) {
      addUnfinished(unfinished, generation);
      addSpending(spending, generation);
    }
  }
  const { count, waiting, credits: inFlightCredits } = unfinished.get(account.id) ?? noUnfinished;
  const shortfalls = monthShortfalls(account, spending.get(account.id)?.values() ?? []);
  const derived = {
    lots: [...rebuilt.lots().values()],
    months,
    running: count - waiting,
    waiting,
    inFlightCredits,
    spent: new Map(
      shortfalls.map(({ keyId, month, spent: credits }) => [keyId, { month, credits }]),
    ),
  };
  return { account, derived };
}
