import { randomUUID } from 'node:crypto';
import { MongoClient, MongoServerError } from 'mongodb';
import { until } from '../support/until.ts';
import { clipOrder } from './orders.ts';

/** Environment of a gateway process that can be killed inside its transactions. */
export const holdsCommits = {
  NODE_OPTIONS: `--import=${new URL('./holdCommits.ts', import.meta.url).href}`,
};

const writeConflict = 112;

/** Whether an open transaction has written an account. */
export async function isLocked(uri: string, accountId: string): Promise<boolean> {
  const client = await new MongoClient(uri).connect();
  const session = client.startSession();
  session.startTransaction();
  try {
    const accounts = client.db().collection<{ _id: string }>('accounts');
    await accounts.updateOne({ _id: accountId }, { $set: { probed: randomUUID() } }, { session });
    return false;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === writeConflict) return true;
    throw error;
  } finally {
    await session.abortTransaction().catch(() => undefined);
    await client.close();
  }
}

/**
 * Kills a process inside a transaction on each of the accounts: their create requests are written but not committed,
 * and the accounts stay locked until the server or another process ends the transactions.
 */
export async function killInsideTransaction(options: {
  uri: string;
  victim: { origin: string; pid: number };
  accounts: readonly { accountId: string; apiKey: string }[];
}): Promise<void> {
  const { uri, victim, accounts } = options;
  process.kill(victim.pid, 'SIGUSR2');
  const { path, body } = clipOrder('killed inside its transaction');
  for (const { apiKey } of accounts) {
    // Never answered: its process is killed.
    fetch(victim.origin + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    }).catch(() => undefined);
  }
  const areLocked = async () => {
    const each = await Promise.all(accounts.map(({ accountId }) => isLocked(uri, accountId)));
    return each.every(Boolean);
  };
  await until(areLocked, 'all of them are locked');
  process.kill(victim.pid, 'SIGKILL');
  if (!(await areLocked())) throw new Error('it was killed outside of a transaction');
}
