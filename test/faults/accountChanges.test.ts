import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import type { MongoConnection } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import {
  type AccountDecision,
  DatabaseUnavailableError,
  NoSuchAccountError,
  StaleWriteError,
} from '../../gateway/src/application/ports/database.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { type AdminTest, connectAdmin } from '../admin/connect.ts';
import { spend } from '../admin/spending.ts';
import { plain } from '../support/plainCollection.ts';
import { until } from '../support/until.ts';
import { connectProcess, newAccount } from './accountWorld.ts';

let admin: AdminTest;
/** A second process on the same database. */
let second: MongoConnection;

beforeAll(async () => {
  admin = await connectAdmin();
  second = await connectProcess(admin.uri, 'second');
});
afterAll(async () => {
  await second.close();
  await admin.close();
});

/** Counts in a field that nothing else depends on. */
const count = (account: Account): AccountDecision<number> => {
  const { burst = 0 } = account.limits;
  return { after: { ...account, limits: { burst: burst + 1 } }, result: burst + 1 };
};
const countOf = async (accountId: string) =>
  (await admin.database.accounts.find(accountId))?.limits.burst;

describe('decisions about one account', () => {
  test('that wait together are made in order and written in few units', async () => {
    const accountId = await newAccount(admin);
    const before = await admin.database.accounts.find(accountId);
    const results = await Promise.all(
      Array.from({ length: 100 }, () => admin.database.changeAccount(accountId, count)),
    );
    expect(results).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await countOf(accountId)).toBe(100);
    const after = await admin.database.accounts.find(accountId);
    // Each unit raises the version by one: one for the first, then all waiting ones, at most 32.
    expect(Number(after?.version) - Number(before?.version)).toBeLessThanOrEqual(5);
  });

  test('refuse only themselves when they throw', async () => {
    const accountId = await newAccount(admin);
    const refuse = () => {
      throw new Error('refused');
    };
    const results = await Promise.allSettled([
      admin.database.changeAccount(accountId, count),
      admin.database.changeAccount(accountId, refuse),
      admin.database.changeAccount(accountId, count),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await countOf(accountId)).toBe(2);
  });

  test('that spend a lot which expires before they are written are made again', async () => {
    const accountId = await newAccount(admin);
    const taken: number[] = [];
    const result = await admin.database.changeAccount(accountId, (account) => {
      taken.push(account.limits.burst ?? 0);
      // The lot of the first decision has expired by the time it is written.
      const expiresAt = taken.length === 1 ? Date.now() - minuteMs : Date.now() + hourMs;
      return { ...count(account), spendsBefore: expiresAt };
    });
    expect({ result, taken }).toEqual({ result: 1, taken: [0, 0] });
    expect(await countOf(accountId)).toBe(1);
  });

  test('are written together only while their first lot lasts', async () => {
    const accountId = await newAccount(admin);
    let asked = 0;
    const spendAt = (first: number) => (account: Account) => {
      asked += 1;
      return { ...count(account), spendsBefore: asked <= 3 ? first : Date.now() + hourMs };
    };
    const later = Date.now() + hourMs;
    const results = await Promise.all(
      [later, Date.now() - minuteMs, later].map((expiresAt) =>
        admin.database.changeAccount(accountId, spendAt(expiresAt)),
      ),
    );
    expect(results).toEqual([1, 2, 3]);
    expect(await countOf(accountId)).toBe(3);
    expect(asked).toBeGreaterThan(3);
  });

  test("are written without one that meets another process's generation", async () => {
    const accountId = await newAccount(admin);
    const generation = await spend(admin, accountId, 10);
    const late = { ...generation, epoch: 7 };
    const endLate = (account: Account): AccountDecision<number> => ({
      ...count(account),
      end: { generation: late, change: { step: 'ended', status: 'failed', endedAt: 1 } },
    });
    const results = await Promise.allSettled([
      admin.database.changeAccount(accountId, count),
      admin.database.changeAccount(accountId, endLate),
      admin.database.changeAccount(accountId, count),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(StaleWriteError) });
    expect(await countOf(accountId)).toBe(2);
  });

  test('of several processes at once each take effect once', async () => {
    const accountId = await newAccount(admin);
    const rounds = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? admin : second));
    await Promise.all(
      rounds.map(({ database }) => database.changeAccount(accountId, count, minuteMs)),
    );
    expect(await countOf(accountId)).toBe(40);
  });

  test('are refused when too many wait, and without an account', async () => {
    await expect(admin.database.changeAccount('acct_none', count)).rejects.toThrow(
      NoSuchAccountError,
    );
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const accountId = await newAccount(admin);
    const first = admin.database.changeAccount(accountId, async (account) => {
      await opened;
      return count(account);
    });
    const waiting = Array.from({ length: 1_010 }, () =>
      admin.database.changeAccount(accountId, count, minuteMs).catch((error: unknown) => error),
    );
    open();
    await first;
    const results = await Promise.all(waiting);
    const refused = results.filter((result) => result instanceof DatabaseUnavailableError);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(await countOf(accountId)).toBe(1 + results.length - refused.length);
  });
});

/** Locks account documents like a process that stopped within a transaction. */
async function lockAccounts(ids: readonly string[]): Promise<() => Promise<void>> {
  const session = second.client.startSession();
  session.startTransaction();
  const { accounts } = second.collections;
  const filter = { _id: { $in: [...ids] } };
  await plain(accounts).updateMany(filter, { $set: { touched: true } }, { session });
  return async () => {
    await session.abortTransaction();
    await session.endSession();
  };
}

describe('a locked account', () => {
  test('costs the others one attempt, and is given up while it is locked', async () => {
    const locked = await Promise.all([newAccount(admin), newAccount(admin)]);
    const free = await Promise.all(Array.from({ length: 10 }, () => newAccount(admin)));
    const unlock = await lockAccounts(locked);
    try {
      const outcomes: string[] = [];
      const held = locked.map(async (id) => {
        const error = await admin.database.changeAccount(id, count, 4_000).catch((e: unknown) => e);
        outcomes.push('locked');
        return error;
      });
      // Together with the locked ones, so that they would share transactions with them.
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          await admin.database.changeAccount(free[index % 10] ?? '', count, minuteMs);
          outcomes.push('free');
        }),
      );
      expect(outcomes).not.toContain('locked');
      for (const error of await Promise.all(held)) {
        expect(error).toBeInstanceOf(DatabaseUnavailableError);
      }
    } finally {
      await unlock();
    }
    const results = locked.map((id) => admin.database.changeAccount(id, count, minuteMs));
    expect(await Promise.all(results)).toEqual([1, 1]);
  });
});

test('a process that falls silent inside a transaction does not lock its accounts for long', async () => {
  const accountId = await newAccount(admin);
  const dying = await connectProcess(admin.uri, 'dying');
  const session = dying.client.startSession();
  await dying.processes.recordSession(session);
  session.startTransaction();
  const { accounts, processes } = dying.collections;
  await plain(accounts).updateOne({ _id: accountId }, { $set: { touched: true } }, { session });
  // Stopped as by SIGSTOP: its heartbeats end, its transaction stays open.
  await dying.processes.stop();
  const { id } = session;
  const seenAt = new Date(admin.clock.now() - 6_500);
  await plain(processes).insertOne({
    _id: 'dying',
    role: 'api',
    host: 'a',
    seenAt,
    codeVersion: 1,
    sessions: [id?.id],
    released: false,
  });
  await until(
    () =>
      admin.database.changeAccount(accountId, count, 1_000).then(
        () => true,
        () => false,
      ),
    'its account is free',
  );
  // Not caused by MongoDB's own limit on transactions: its sessions were ended.
  await until(
    async () => (await processes.countDocuments({ _id: 'dying', sessions: [] })) === 1,
    'its sessions are written off',
  );
  await expect(session.commitTransaction()).rejects.toThrow();
  await session.endSession();
  await dying.close();
});
