import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collections } from '../../gateway/src/adapters/mongo/collections.ts';
import { ownReference } from '../../gateway/src/domain/credits/credits.ts';
import { shownEntryId } from '../../gateway/src/domain/credits/ledgerChain.ts';
import { FramegateOperator, type LedgerEntry } from '../../integrations/operator/src/index.ts';

/** The operator's product next to a cluster: two followers of the ledger, and payments that it grants. */
export interface Product {
  /** Number of times that a follower was notified of a restore. */
  restores(): number;
  /**
   * Takes no more payments and waits until both followers hold the ledger of this database, entry by entry.
   * @returns The differences at the end of that time, in words.
   */
  settle(collections: Pick<Collections, 'ledger'>, withinMs: number): Promise<string[]>;
  /** How many payments were granted. */
  payments(): number;
  stop(): Promise<void>;
}

const followers = 2;
const paymentEveryMs = 250;
const amountCredits = 7;
/** Payments that are granted at the same time: one commit takes about as long as ten. */
const lanes = 10;

/**
 * Starts the product. A payment whose grant a restore lost is granted again under its reference, only because of the
 * followers' events.
 * @param options.origins Addresses of the operator API that answer now; a request goes to any of them.
 */
export function startProduct(options: {
  origins: () => readonly string[];
  operatorKey: string;
  accountId: string;
}): Product {
  const { origins, operatorKey, accountId } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  /** Payments, and whether each is known to be granted. */
  const payments = new Map<string, boolean>();
  const books = Array.from({ length: followers }, () => new Map<string, LedgerEntry>());
  let restores = 0;
  let isOpen = true;

  const client = new FramegateOperator({
    baseUrl: 'http://127.0.0.1:1/operator/v1',
    operatorKey,
    requestTimeoutMs: 30_000,
    retryBudgetMs: 5_000,
    fetch: (input, init) => {
      const addresses = origins();
      const origin =
        addresses[Math.floor(Math.random() * addresses.length)] ?? 'http://127.0.0.1:1';
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      return fetch(`${origin}${pathname}${search}`, init);
    },
  });

  const follow = async (own: Map<string, LedgerEntry>) => {
    let after: string | undefined;
    while (!signal.aborted) {
      try {
        const pages = client.followLedger(
          { after, limit: 100 },
          {
            signal,
            stopAtEnd: true,
            onRestored({ after: from, position: kept }) {
              restores += 1;
              for (const [id, { position }] of own) if ((position ?? 0) > kept) own.delete(id);
              const booked = new Set([...own.values()].map(({ reference }) => reference));
              for (const reference of payments.keys()) {
                if (!booked.has(reference)) payments.set(reference, false);
              }
              after = from;
            },
          },
        );
        for await (const { data, next } of pages) {
          for (const entry of data) own.set(entry.id, entry);
          after = next;
        }
      } catch (error) {
        lastError = String(error);
      }
      await pause(500);
    }
  };
  let lastError = '';

  /** Grants that a restore removes are made again. */
  const grant = async (reference: string) => {
    const restoresBefore = restores;
    try {
      await client.grantCredits(accountId, { amount: amountCredits, kind: 'purchased', reference });
      if (restores === restoresBefore) payments.set(reference, true);
    } catch (error) {
      lastError = String(error);
    }
  };
  const pay = async () => {
    while (!signal.aborted) {
      if (isOpen) payments.set(`payment-${randomUUID()}`, false);
      const open = [...payments].filter(([, isGranted]) => !isGranted).slice(0, lanes);
      await Promise.all(open.map(([reference]) => grant(reference)));
      await pause(open.length < lanes ? paymentEveryMs : 0);
    }
  };
  const running = [...books.map(follow), pay()];

  async function findDifferences({ ledger }: Pick<Collections, 'ledger'>): Promise<string[]> {
    const stored = await ledger.find({}).toArray();
    const wrong = books.flatMap((own, index) => [
      ...stored.flatMap(({ _id, hash, amount, position }) => {
        const held = own.get(shownEntryId({ id: _id, hash }));
        const isSame = held?.amount === amount && held.position === position;
        return isSame ? [] : [`follower ${index} holds ${JSON.stringify(held)} as ${_id}`];
      }),
      ...(own.size === stored.length
        ? []
        : [`follower ${index} has ${own.size} of ${stored.length} entries`]),
    ]);
    const counts = new Map<string | null, number>();
    for (const each of stored) {
      const reference = ownReference(each.reference);
      counts.set(reference, (counts.get(reference) ?? 0) + 1);
    }
    for (const [reference, isGranted] of payments) {
      const count = counts.get(reference) ?? 0;
      const state = isGranted ? 'granted' : 'not granted yet';
      if (count !== 1) wrong.push(`${reference} is booked ${count} times, and taken as ${state}`);
    }
    return wrong;
  }

  return {
    restores: () => restores,
    payments: () => payments.size,
    async settle(collections, withinMs) {
      isOpen = false;
      let until = performance.now() + withinMs;
      for (let min = Infinity; ;) {
        const wrong = await findDifferences(collections);
        if (wrong.length === 0) return [];
        if (wrong.length < min) until = performance.now() + withinMs;
        min = Math.min(min, wrong.length);
        if (performance.now() > until) return [...wrong.slice(0, 5), `last error: ${lastError}`];
        await pause(500);
      }
    },
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}
