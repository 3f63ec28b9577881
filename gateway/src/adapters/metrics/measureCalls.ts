import type { AccountDecision, Database } from '../../application/ports/database.ts';
import { mapRoutes, type Route, type Routes } from '../../application/ports/providers.ts';
import type { LedgerEntry } from '../../domain/credits.ts';
import type { Metrics } from './metrics.ts';

/** The database, counting what it has committed: generations accepted and ended, ledger entries. */
export function measureDatabase(database: Database, metrics: Metrics): Database {
  const countEntry = ({ kind, amount }: LedgerEntry): void => {
    metrics.ledgerEntries.inc({ kind });
    metrics.ledgerCredits.inc({ kind }, Math.abs(amount));
  };

  function countDecision({ insert, end, entry }: AccountDecision<unknown>): void {
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
    async changeAccount(accountId, decide, withinMs) {
      // It may be decided more than once; only the last decision is written.
      let last: AccountDecision<unknown> | undefined;
      const result = await database.changeAccount(
        accountId,
        async (account) => {
          const decision = await decide(account);
          last = decision;
          return decision;
        },
        withinMs,
      );
      if (last) countDecision(last);
      return result;
    },
  };
}

/** The routes, counting and timing each call by what came of it. */
export function measureRoutes(routes: Routes, metrics: Metrics, nowMs: () => number): Routes {
  return mapRoutes(routes, (route) => measureRoute(route, metrics, nowMs));
}

function measureRoute(route: Route, metrics: Metrics, nowMs: () => number): Route {
  const { provider, model } = route;
  async function timed<T>(
    call: 'submit' | 'look',
    work: () => Promise<T>,
    outcomeOf: (result: T) => string,
  ): Promise<T> {
    const startedAt = nowMs();
    let outcome = 'aborted';
    try {
      const result = await work();
      outcome = outcomeOf(result);
      return result;
    } finally {
      metrics.providerCalls.inc({ provider, model, call, outcome });
      metrics.providerSeconds.observe({ provider, call }, (nowMs() - startedAt) / 1000);
    }
  }
  return {
    ...route,
    submit: (request, signal, key) =>
      timed(
        'submit',
        () => route.submit(request, signal, key),
        (result) => (result.kind === 'refused' && result.busy ? 'busy' : result.kind),
      ),
    poll: (operation, request, signal, source, key) =>
      timed(
        'look',
        () => route.poll(operation, request, signal, source, key),
        ({ kind }) => kind,
      ),
  };
}
