import type { Database, UnitOfWork } from '../../application/ports/database.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import type { Metrics } from './metrics.ts';

/** The database, counting what it has committed: generations accepted and ended, ledger entries. */
export function measureDatabase(database: Database, metrics: Metrics): Database {
  const countEntry = ({ kind, amount }: LedgerEntry): void => {
    metrics.ledgerEntries.inc({ kind });
    metrics.ledgerCredits.inc({ kind }, Math.abs(amount));
  };

  function countUnit({ insert, end, entry }: UnitOfWork): void {
    if (insert) metrics.accepted.inc({ model: insert.model, channel: insert.channel });
    if (entry) countEntry(entry);
    if (!end) return;
    const { generation, change } = end;
    const { model, createdAt } = generation;
    const { status = 'failed', failure, endedAt } = change;
    metrics.ended.inc({ model, status, code: failure?.code ?? '' });
    if (entry?.kind === 'refund') metrics.refunds.inc({ model });
    if (status === 'completed') {
      metrics.generationSeconds.observe({ model }, ((endedAt ?? createdAt) - createdAt) / 1000);
    }
  }

  return {
    ...database,
    async commit(unit) {
      await database.commit(unit);
      countUnit(unit);
    },
    async transaction(work) {
      let entries: LedgerEntry[] = [];
      const result = await database.transaction((stores) => {
        // The work may run more than once; only its last run is committed.
        entries = [];
        const ledger: typeof stores.ledger = {
          append: async (entry) => {
            await stores.ledger.append(entry);
            entries.push(entry);
          },
          findByReference: (reference) => stores.ledger.findByReference(reference),
          oldest: (accountId, after, limit) => stores.ledger.oldest(accountId, after, limit),
          find: (accountId) => stores.ledger.find(accountId),
          newest: (accountId, before, limit) => stores.ledger.newest(accountId, before, limit),
        };
        return work({ ...stores, ledger });
      });
      entries.forEach(countEntry);
      return result;
    },
  };
}
