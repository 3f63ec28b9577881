import type { AccountDecision, Database } from '../ports/database.ts';
import type { OperatorRecords } from '../ports/operator.ts';

/** The part of a decision from which records are made. */
export type RecordedDecision = Pick<AccountDecision<unknown>, 'after' | 'entry' | 'insert' | 'end'>;

/**
 * A database that adds records to the transaction of the first change of an account that has some: both are stored or
 * neither is. Later changes are written without them.
 * @param recordsOf The records of a decision; null if it is not the one that does the work. May be called again.
 */
export function recordingDatabase(
  database: Database,
  recordsOf: (decided: RecordedDecision) => OperatorRecords | null,
): { database: Database; isRecorded: () => boolean } {
  let isDone = false;
  const recording: Database = {
    ...database,
    async changeAccount(accountId, decide, withinMs) {
      if (isDone) return database.changeAccount(accountId, decide, withinMs);
      let isRecorded = false;
      const result = await database.changeAccount(
        accountId,
        async (account) => {
          const decision = await decide(account);
          const records = recordsOf(decision);
          isRecorded = records !== null;
          return { ...decision, ...(records && { records }) };
        },
        withinMs,
      );
      isDone = isRecorded;
      return result;
    },
    accounts: {
      ...database.accounts,
      async insert(account) {
        const records = recordsOf({ after: account });
        await database.accounts.insert(account, records ?? undefined);
        isDone = true;
      },
    },
  };
  return { database: recording, isRecorded: () => isDone };
}
