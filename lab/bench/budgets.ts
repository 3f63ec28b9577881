/** The highest cost of a request. A change that costs more is improved, or raises the figure with its reason. */
export interface Budget {
  /** Commands of one request alone: collection, operation, index keys written. */
  commands: readonly string[];
  /** Processor time of the gateway and of mongod, relative to the bare server in the same run of `npm run bench`. */
  ofBare: { server: number; mongod: number };
}

/** By row of `npm run bench`, which checks the times; `budgets.test.ts` checks the commands. */
export const budgets = {
  read: {
    commands: ['generations query 0'],
    ofBare: { server: 0.6, mongod: 0.35 },
  },
  create: {
    commands: [
      // An earlier create request under the same key, and the account.
      'generations query 0',
      'accounts query 0',
      // One transaction.
      'accounts update 0',
      'generations insert 4',
      // With the key by which readers of the operator API's feed find it (docs/adr/0022-feed-positions.md).
      'ledger insert 3',
      'agendaJobs insert 2',
    ],
    ofBare: { server: 0.8, mongod: 0.55 },
  },
} as const satisfies Record<string, Budget>;

/**
 * Index keys that a generation writes and removes from its create to its end, by its provider's end. Four are those of
 * the history, whose filter by state reads no documents: the state changes twice.
 */
export const lifeKeys = {
  succeeded: { generations: 27, ledger: 3 },
  failed: { generations: 27, ledger: 6 },
} as const;
