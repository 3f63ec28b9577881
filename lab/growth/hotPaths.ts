import { dayMs, sum } from '@framegate/contract';
import { createFindCreditTotals } from '../../gateway/src/adapters/mongo/accounts/accountStore.ts';
import { createTeamLogStore } from '../../gateway/src/adapters/mongo/accounts/teamLogStore.ts';
import { createFindUsage } from '../../gateway/src/adapters/mongo/credits/usageReport.ts';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { createJobQueries } from '../../gateway/src/adapters/mongo/jobs/jobQueries.ts';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import {
  createAccountList,
  createOperatorKeyStore,
} from '../../gateway/src/adapters/mongo/staff/operatorStores.ts';
import { createWallStores } from '../../gateway/src/adapters/mongo/wall/wallStores.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { searchAll } from '../../gateway/src/application/staff/search.ts';
import { upkeepTasks } from '../../gateway/src/application/upkeep/upkeepTasks.ts';
import { dayOf } from '../../gateway/src/domain/time/utcDay.ts';
import { image, video } from '../../test/support/bodies.ts';
import type { TestAccount, TestGateway } from '../../test/support/gateway.ts';
import { until } from '../../test/support/until.ts';
import { collectionOf, type History } from './fillHistory.ts';

/** Recurring work of the gateway. */
export interface HotPath {
  name: string;
  work: () => Promise<unknown>;
  /** A higher limit for one of its statements, with the reason. */
  mayRead?: { max: number; because: string };
}

/** Work of customers, staff, operators and upkeep on a database with a history. */
export function hotPaths(
  gateway: TestGateway,
  { staff, customer, history }: { staff: App; customer: TestAccount; history: History },
): HotPath[] {
  const { database, collections, clock, models, feed } = gateway;
  const { generations, ledger } = database;
  const { staffQueries } = staff;
  const { shares, collections: ownCollections } = createWallStores(gateway);
  const teamLog = createTeamLogStore(models);
  const notices = createNoticeStore(models, collections);
  const upkeep = createUpkeepStore(collections, clock);
  const nowMs = clock.now();
  const ofAccounts = (name: string, work: (accountId: string) => Promise<unknown>): HotPath[] => [
    { name: `${name}, large account`, work: () => work(history.large) },
    { name: `${name}, small account`, work: () => work(history.small) },
  ];
  const narrowed = {
    max: 4_000,
    because: 'a page of a search looks at 2,000 generations at most',
  };
  const listed = { max: 10_000, because: 'a page of a list looks at 5,000 ends at most' };
  const counted = { max: 20_000, because: 'sums up the ends of the last hours and days' };
  return [
    {
      name: 'API: create, replay, poll until the end, balance',
      async work() {
        const key = { 'idempotency-key': 'growth' };
        const { json } = await customer.post('/v1/videos', video({ prompt: 'growth' }), key);
        await customer.post('/v1/videos', video({ prompt: 'growth' }), key);
        await customer.untilEnded(String(json['id']));
        await customer.get('/v1/credits/balance');
      },
    },
    {
      name: 'API: a generation that fails and is refunded',
      async work() {
        const { json } = await customer.post('/v1/videos', video({ prompt: 'fails' }));
        await customer.untilEnded(String(json['id']));
      },
    },
    { name: 'API: a refused create', work: () => customer.post('/v1/images', image({ n: 99 })) },
    { name: 'read a generation', work: () => generations.findView(history.ofLarge, history.large) },
    {
      name: 'a file: whether it was taken down',
      work: () => generations.findView(history.ofLarge),
    },
    ...ofAccounts('history', (id) => generations.listNewest(id, 50)),
    ...ofAccounts('filtered history', (id) =>
      generations.searchHistory(id, { status: 'failed', model: 'none' }, null, 50),
    ).map((path) => ({
      ...path,
      mayRead: {
        max: 2_000,
        because: 'a page of a filter looks at the keys of 2,000 generations',
      },
    })),
    ...ofAccounts('searched history', (id) =>
      generations.searchHistory(id, { words: ['nothing'] }, null, 50),
    ).map((path) => ({ ...path, mayRead: narrowed })),
    ...ofAccounts('favourites and a collection', async (id) => {
      await generations.searchHistory(id, { isFavourite: true }, null, 50);
      await generations.searchHistory(id, { collectionId: collectionOf(id) }, null, 50);
    }),
    ...ofAccounts('choices of mails', (id) => notices.find(id)),
    ...ofAccounts('collections', (id) => ownCollections.listOfAccount(id)),
    ...ofAccounts('log of a team', (id) => teamLog.listNewest(id, null, 50)),
    {
      name: 'a link to a result',
      async work() {
        await shares.find(history.ofLarge);
        await shares.findByToken('none');
      },
    },
    ...ofAccounts('spending', (id) => generations.sumSpending(id, nowMs - 30 * dayMs, 20_000)).map(
      (path) => ({
        ...path,
        mayRead: { max: 20_000, because: 'sums up at most 20,000 generations of the account' },
      }),
    ),
    ...ofAccounts('ledger', async (id) => {
      await ledger.listNewest(id, null, 50);
      await ledger.listOldest(id, 3, 50);
    }),
    ...ofAccounts('labels', (id) => generations.findLabels(id, [history.ofLarge, history.ofSmall])),
    ...ofAccounts('change of an account', (id) =>
      database.changeAccount(id, (account) => ({ after: account, result: undefined })),
    ),
    {
      name: 'usual durations',
      async work() {
        await generations.listRecentDurations(nowMs - dayMs, 200);
        await generations.listRouteDurations('alpha-2.0-mini', nowMs - dayMs, 300);
      },
      mayRead: { max: 20_000, because: 'reads the keys of the newest ends of all models' },
    },
    { name: 'console: overview', work: () => staff.figures.loadAll(), mayRead: counted },
    {
      name: 'console: lists',
      async work() {
        await staffQueries.list({ status: 'completed' }, null, 50);
        await staffQueries.list({ status: 'failed' }, null, 50);
        await staffQueries.list({ status: 'queued' }, null, 50);
        await staffQueries.listUnresolved(200);
        await staffQueries.listHostRequests(200);
        await staffQueries.listCreditRequests(200);
        await staffQueries.listAdmins(50);
        await staffQueries.openByAge({ until: nowMs, lengthMs: dayMs });
      },
    },
    {
      name: 'console: charts',
      work: () => staffQueries.sumEnds({ from: nowMs - dayMs, lengthMs: dayMs }),
      mayRead: counted,
    },
    {
      name: 'console: narrowed lists',
      async work() {
        await staffQueries.list({ status: 'completed', model: 'none' }, null, 50);
        await staffQueries.countByCustomer({ status: 'failed' });
      },
      mayRead: listed,
    },
    ...ofAccounts('console: account', (id) => staffQueries.listOfAccount(id, {}, null, 30)),
    {
      name: 'console: search',
      async work() {
        for (const word of [history.failed, 'task 77', 'no such thing', 'grown-7@example.com']) {
          await searchAll(staff, word);
        }
      },
    },
    { name: 'console: generation', work: () => staffQueries.findGeneration(history.failed) },
    {
      name: 'console: entries of a generation',
      work: () => staffQueries.findEntries({ id: history.failed, accountId: history.failedOf }),
    },
    { name: 'console: jobs', work: () => createJobQueries(collections, clock).countByKind() },
    {
      name: 'console: audit log and emails',
      async work() {
        await staff.audit.search(null, null, 50);
        await staff.proposals.list(50);
      },
    },
    {
      name: 'console: costs of a day',
      work: () => staff.costs.findLines({ from: dayOf(nowMs - dayMs), to: dayOf(nowMs - dayMs) }),
      mayRead: { max: 50_000, because: 'reads the ends of a day once' },
    },
    {
      name: 'operator: usage of a day',
      work: () =>
        createFindUsage(collections)({
          from: nowMs - dayMs,
          until: nowMs,
          by: ['day', 'model'],
          limit: 1_000,
        }),
      mayRead: { max: 50_000, because: 'reads the ends that it reports' },
    },
    {
      name: 'operator: feed and accounts',
      async work() {
        await feed.findEntries(0, 100);
        await feed.findEvents(0, 100);
        await createAccountList(collections).listPage('', 100);
        await createOperatorKeyStore(models).list(100);
      },
      mayRead: { max: 1_000, because: 'gives 1,000 new things their places in the feed at once' },
    },
    {
      name: 'metrics: credits',
      work: createFindCreditTotals(collections),
      mayRead: { max: Infinity, because: 'adds up all accounts, once a minute at most' },
    },
    {
      name: 'upkeep: all reads',
      async work() {
        const shard = { index: 0, count: 1 };
        await upkeep.acquireTidyLeases(nowMs, 200, 0);
        await upkeep.findNeglected(shard, 0, nowMs, 1_000);
        for (const pages of [
          upkeep.openIds(shard, 0, 1_000),
          upkeep.listStarvedAccounts(shard, 10),
          // The first time through all lots.
          upkeep.listAccountsWithExpiredLots(shard, nowMs),
          upkeep.listAccountsWithExpiredLots(shard, nowMs),
          database.uploads.listExpired(nowMs),
        ]) {
          await readAll(pages);
        }
        await generations.findParkedCheckedBefore(nowMs, 100);
        await generations.findNextParked('ark', '');
        await database.erasures.acquireLease();
      },
    },
    {
      name: 'upkeep: a round of each task in this process',
      async work() {
        const startedAt = clock.now();
        const shards = sum(Object.values(upkeepTasks));
        await until(async () => {
          const fresh = (await upkeep.listRounds()).filter(
            ({ finishedAt }) => finishedAt > startedAt,
          );
          return fresh.length >= shards;
        });
      },
    },
  ];
}

async function readAll(pages: AsyncIterable<unknown>): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
