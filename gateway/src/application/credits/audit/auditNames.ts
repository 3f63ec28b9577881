import { allLookupIdsOf } from '../../../domain/accounts/accountLookups.ts';
import type { AuditedAccount, AuditedEntry, LedgerSnapshot } from '../../ports/ledgerAudit.ts';
import type { RecordProblem } from './auditProblems.ts';

/** Expected number of documents of each kind. */
export interface NamesCounted {
  references: number;
  accountLookups: number;
}

/** Names looked up at a time. */
const maxLookedUpTogether = 1_000;

/** A name, the account that it must lead to, and its owner. */
interface ExpectedName {
  id: string;
  accountId: string;
  document: string;
}

/**
 * Checks the documents that make values unique across accounts: a reference for each booking that has one, without
 * which a payment could be granted twice, and the lookups of accounts, without which a second one could take an address
 * or a key would not be found (I1).
 */
export function auditNames(
  snapshot: Pick<LedgerSnapshot, 'findReferences' | 'findLookups'>,
  record: RecordProblem,
) {
  const expectedCounts: NamesCounted = { references: 0, accountLookups: 0 };
  const waiting: Record<keyof NamesCounted, ExpectedName[]> = {
    references: [],
    accountLookups: [],
  };

  async function check(kind: keyof NamesCounted): Promise<void> {
    const all = waiting[kind].splice(0);
    if (all.length === 0) return;
    const ids = all.map(({ id }) => id);
    const names = await (kind === 'references'
      ? snapshot.findReferences(ids)
      : snapshot.findLookups(ids));
    const accountIdByName = new Map(names.map(({ id, accountId }) => [id, accountId]));
    for (const { id, accountId, document } of all) {
      const leadsTo = accountIdByName.get(id);
      if (leadsTo === accountId) continue;
      const name = kind === 'references' ? `reference "${id}"` : `lookup by ${id.split(' ')[0]}`;
      const problem = leadsTo === undefined ? 'is missing' : `leads to account ${leadsTo}`;
      record('I1', document, `is not found: its ${name} ${problem}`);
    }
  }
  async function add(kind: keyof NamesCounted, expected: readonly ExpectedName[]): Promise<void> {
    expectedCounts[kind] += expected.length;
    waiting[kind].push(...expected);
    if (waiting[kind].length >= maxLookedUpTogether) await check(kind);
  }

  return {
    addEntry: async ({ id, reference, accountId }: AuditedEntry) => {
      if (reference === undefined) return;
      await add('references', [{ id: reference, accountId, document: `ledger/${id}` }]);
    },
    addAccount: (account: AuditedAccount) =>
      add(
        'accountLookups',
        allLookupIdsOf(account.id, account).map((id) => ({
          id,
          accountId: account.id,
          document: `accounts/${account.id}`,
        })),
      ),
    async finish(): Promise<NamesCounted> {
      await check('references');
      await check('accountLookups');
      return expectedCounts;
    },
  };
}

/** Notes unexpected documents, and a feed counter that would repeat positions. */
export async function auditCounters(
  snapshot: Pick<LedgerSnapshot, 'loadFeed' | 'countNames'>,
  counted: NamesCounted | null,
  record: RecordProblem,
): Promise<void> {
  const { last, highest } = await snapshot.loadFeed();
  if (highest > last) {
    record(
      'I1',
      'feeds',
      `has given position ${highest} and counts ${last}: it would give it again`,
    );
  }
  if (counted === null) return;
  const storedCounts = await snapshot.countNames();
  for (const kind of ['references', 'accountLookups'] as const) {
    if (storedCounts[kind] <= counted[kind]) continue;
    const source = kind === 'references' ? 'entries' : 'values of accounts';
    record('I1', kind, `has ${storedCounts[kind]} documents for ${counted[kind]} ${source}`);
  }
}
