import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minuteMs } from '@framegate/contract';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { isDatabaseTrouble, retry } from '../../gateway/src/adapters/mongo/errors.ts';
import { createFeed } from '../../gateway/src/adapters/mongo/feed/feed.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { DatabaseUnavailableError } from '../../gateway/src/application/ports/database.ts';
import { adjustCredits } from '../../gateway/src/application/staff/adjustCredits.ts';
import { type AdminTest, connectAdmin } from '../admin/connect.ts';
import { collectLog } from '../support/mongod.ts';

/* Writers in several processes, and readers alongside them, on one database. */

let admin: AdminTest;
let others: MongoConnection[];
beforeAll(async () => {
  admin = await connectAdmin();
  const connect = (id: string) =>
    connectMongo({ uri: admin.uri, log: collectLog().log, self: { id, role: 'command' } });
  others = [await connect('second'), await connect('third')];
});
afterAll(async () => {
  for (const each of others) await each.close();
  await admin.close();
});

type Feed = MongoConnection['feed'];
type Entry = Awaited<ReturnType<Feed['findEntries']>>['items'][number]['entry'] & {
  position: number;
};

/**
 * Reads from a place to the end, and on until `isOver`. Repeats a page that other readers held up, as a caller does.
 */
async function follow(feed: Feed, from: number, limit: number, isOver: () => boolean) {
  const seen: Entry[] = [];
  let after = from;
  for (;;) {
    const wasOver = isOver();
    const { items: page } = await retry(() => feed.findEntries(after, limit), {
      on: isDatabaseTrouble,
      withinMs: minuteMs,
    });
    seen.push(...page.map(({ entry, position }) => ({ ...entry, position })));
    after = page.at(-1)?.position ?? after;
    if (wasOver && page.length === 0) return seen;
  }
}

/** Books a grant and an adjustment on each account in turn. */
async function book(deps: AdminTest, accountIds: readonly string[]) {
  for (const accountId of accountIds) {
    const lot = { accountId, amountCredits: 2, kind: 'purchased' as const };
    await grantCredits(deps, { ...lot, expiresAt: null, reason: null });
    const taken = { accountId, amount: -1, reason: 'x', generationId: null };
    await adjustCredits(deps, { ...taken, requestId: 'req_1' });
  }
}

test('every reader sees each entry once, in order within an account, while several processes write', async () => {
  const scene = fc.record({
    accounts: fc.integer({ min: 1, max: 5 }),
    /** The account of each writer's next booking, in turn. */
    writers: fc.array(fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }), {
      minLength: 2,
      maxLength: 6,
    }),
    limits: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ accounts, writers, limits }) => {
      const ids: string[] = [];
      for (let index = 0; index < accounts; index += 1) ids.push(await admin.newAccount());
      const feeds = others.map(({ feed }) => feed);
      const processes = [admin.database, ...others.map(({ database }) => database)];
      const [first] = feeds;
      if (!first) throw new Error('there is no feed');
      const before = await follow(first, 0, 500, () => true);
      const from = before.at(-1)?.position ?? 0;
      let writing = writers.length;
      const written = writers.map(async (turns, index) => {
        const database = processes[index % processes.length] ?? admin.database;
        const deps = { ...admin, database };
        try {
          await book(
            deps,
            turns.map((turn) => ids[turn % ids.length] ?? ''),
          );
        } finally {
          writing -= 1;
        }
      });
      const read = limits.map((limit, index) =>
        follow(feeds[index % feeds.length] ?? first, from, limit, () => writing === 0),
      );
      const seenByAll = await Promise.all(read);
      await Promise.all(written);
      const stored = (await Promise.all(ids.map((id) => admin.database.ledger.find(id)))).flat();
      for (const seen of seenByAll) {
        expect(seen.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
        expect(seen.map(({ position }) => position)).toEqual(
          seen.map((_, index) => from + 1 + index),
        );
        for (const id of ids) {
          const numbers = seen.filter((each) => each.accountId === id).map(({ number }) => number);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

/** Writes entries of an account that have no position. */
async function writeEntries(accountId: string, count: number): Promise<void> {
  const entry = (number: number) => ({
    _id: `${accountId}.${String(number).padStart(12, '0')}`,
    accountId,
    number,
    kind: 'grant' as const,
    amount: 1,
    movements: [],
    generationId: null,
    reason: null,
    requestId: 'req_old',
    at: new Date(0),
    hash: '',
  });
  await admin.collections.ledger.insertMany(
    Array.from({ length: count }, (_, index) => entry(index + 1)),
  );
}

test('all entries without a position appear in the feed', async () => {
  const accountId = await admin.newAccount();
  const count = 1_200;
  await writeEntries(accountId, count);
  const [feed] = others.map(({ feed: ownFeed }) => ownFeed);
  if (!feed) throw new Error('there is no feed');
  const seen = await follow(feed, 0, 501, () => true);
  const own = seen.filter((each) => each.accountId === accountId);
  expect(own.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
});

test('a failed page is repeated in smaller pieces', async () => {
  const count = 900;
  const accountId = await admin.newAccount();
  await writeEntries(accountId, count);
  const tried: number[] = [];
  const [{ collections, runTransaction }] = others as [MongoConnection];
  const ledger = new Proxy(collections.ledger, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'find') return typeof value === 'function' ? value.bind(target) : value;
      return (filter: { position: unknown }, options: { limit: number }) => {
        if (filter.position === null) tried.push(options.limit);
        if (filter.position === null && options.limit > 300) {
          throw new DatabaseUnavailableError('operation exceeded time limit');
        }
        return target.find(filter as never, options);
      };
    },
  });
  const feed = createFeed({ ...collections, ledger }, runTransaction, collectLog().log);
  const before = await follow(feed, 0, 500, () => true);
  expect(before.filter((each) => each.accountId === accountId)).toHaveLength(count);
  expect(tried.slice(0, 3)).toEqual([1_000, 500, 250]);
});
