import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayMs, minuteMs, sum } from '@framegate/contract';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { createWorkStore } from '../../gateway/src/adapters/mongo/generations/workStore.ts';
import { eraseGenerations } from '../../gateway/src/application/generations/end/eraseGenerations.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { openCase } from '../../gateway/src/application/staff/openCase.ts';
import { searchAll } from '../../gateway/src/application/staff/search.ts';
import { formatId } from '../../gateway/src/domain/ids.ts';
import { dayOf } from '../../gateway/src/domain/time/utcDay.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { actor, openStaff } from './openStaff.ts';

let gateway: TestGateway;
let account: TestAccount;
let opened: Awaited<ReturnType<typeof openStaff>>;
let wanted: Record<string, unknown>;
const stored = 2_000;

/** Many copies of one real generation, each with the values that staff search for. */
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  opened = await openStaff(gateway);
  account = await gateway.addAccount();
  const { json } = await account.post('/v1/videos', video());
  const { generations, ledger } = gateway.collections;
  const found = await generations.findOne({ _id: String(json['id']) });
  const nowMs = Date.now();
  const copies = Array.from({ length: stored }, (_, index) => {
    // Two of those that failed ended in the same millisecond.
    const ended = new Date(nowMs - (index === 800 ? 700 : index) * minuteMs);
    return {
      ...found,
      _id: formatId('gen', ended.getTime(), randomBytes(10)),
      requestId: formatId('req', ended.getTime(), randomBytes(10)),
      accountId: `acct ${index}`,
      status: index % 100 === 0 ? 'failed' : 'completed',
      step: 'ended',
      open: false,
      replay: null,
      createdAt: ended,
      startedAt: ended,
      endedAt: ended,
      tidyAt: new Date(nowMs + (index - 5) * minuteMs),
      operationIds: [`task ${index}`],
      realPerson: { consentReference: `consent ${index}` },
    };
  });
  await plain(generations).insertMany(copies);
  const entry = await ledger.findOne({ kind: 'charge' });
  await plain(ledger).insertMany(
    copies.map(({ _id, accountId }, index) => ({
      ...entry,
      _id: `copy.${index}`,
      accountId,
      generationId: _id,
    })),
  );
  wanted = { ...copies[777] };
});

afterAll(async () => {
  await opened.close();
  await gateway.stop();
});

/** Plans and documents read of all queries that `work` makes, as the server has noted them. */
async function plansOf(work: () => Promise<unknown>): Promise<[string, number][]> {
  const { db } = gateway;
  const read = await profile(db, ['generations', 'ledger', 'accounts'], work);
  return read
    .filter(({ op }) => op === 'query' || op === 'command')
    .map(({ plan, documents }) => [plan, documents]);
}

/** For a request, only generations of the following minutes are read. */
const maxRead = (word: unknown) => (String(word).startsWith('req_') ? 7 : 1);

test('a search reads only its results, through an index', async () => {
  const { staff } = opened;
  const mail = 'Where is order-4711?';
  const words = [
    ...[wanted['_id'], wanted['requestId'], 'task 777', 'consent 777', 'no such thing', mail],
  ];
  for (const word of words) {
    const read = await plansOf(() => searchAll(staff, String(word)));
    expect([word, read.length > 0]).toEqual([word, true]);
    for (const [plan, documents] of read) {
      expect([word, plan, /COLLSCAN/.test(plan), documents <= maxRead(word)]).toEqual([
        word,
        plan,
        false,
        true,
      ]);
    }
  }
  const id = String(wanted['_id']);
  const page = await plansOf(async () => {
    await staff.staffQueries.findEntries({ id, accountId: String(wanted['accountId']) });
    await staff.staffQueries.listUnresolved(200);
    await staff.staffQueries.listOfAccount('acct 777', { status: 'completed' }, null, 30);
  });
  expect(page.filter(([plan, documents]) => /COLLSCAN/.test(plan) || documents > 1)).toEqual([]);
});

test('a case reads only generations of its customer, through an index', async () => {
  const { staff } = opened;
  const owner = await staff.database.accounts.find(account.accountId);
  if (!owner) throw new Error('the account is missing');
  const letter = 'Two credits were taken for the boats that drift today, 26 Nov';
  const search = await searchAll(staff, letter);
  const read = await plansOf(async () => {
    const of = { account: { ...owner, id: 'acct 777' }, letter, search };
    expect((await openCase(staff, actor, of)).likely).toHaveLength(1);
  });
  expect(read.filter(([plan, documents]) => /COLLSCAN/.test(plan) || documents > 1)).toEqual([]);
});

test('lists, charts and beginnings read through an index, within their bounds', async () => {
  const { staffQueries } = opened.staff;
  const failed = await staffQueries.list({ status: 'failed' }, null, 8);
  // Ends of one millisecond are on one page; the next page begins after that millisecond.
  expect(failed.lines).toHaveLength(9);
  const next = await staffQueries.list({ status: 'failed' }, failed.older, 50);
  expect(next).toMatchObject({ older: null });
  const ids = [...failed.lines, ...next.lines].map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([stored / 100, stored / 100]);
  const ofAccount = async (status: 'completed' | 'failed') =>
    (await staffQueries.listOfAccount('acct 777', { status, channel: 'api' }, null, 30)).lines
      .length;
  expect([await ofAccount('completed'), await ofAccount('failed')]).toEqual([1, 0]);
  expect((await staffQueries.list({ status: 'queued' }, null, 50)).lines).toHaveLength(1);
  const unfit = await staffQueries.list({ status: 'completed', model: 'none' }, null, 50);
  expect(unfit).toEqual({ lines: [], older: null });
  const read = await plansOf(async () => {
    await staffQueries.list({ status: 'failed' }, failed.older, 5);
    const { customers, isWhole } = await staffQueries.countByCustomer({ status: 'failed' });
    expect([customers.length, isWhole]).toEqual([stored / 100, true]);
    await staffQueries.findOwners(['acct 777', account.accountId]);
    await staffQueries.openByAge({ until: Date.now(), lengthMs: minuteMs });
    await staffQueries.findLinesFrom('id', String(wanted['_id']).slice(0, -2), 50);
    await staffQueries.findLinesFrom('requestId', String(wanted['requestId']).slice(0, -2), 50);
    for (const by of ['id', 'email', 'keyId', 'keyPrefix'] as const) {
      await staffQueries.findAccountsFrom(by, 'nothing', 50);
    }
  });
  expect(read.filter(([plan, documents]) => /COLLSCAN/.test(plan) || documents > 100)).toEqual([]);
});

test('a page of a filtered list reads no more than needed to fill it', async () => {
  const { staffQueries } = opened.staff;
  const model = String(wanted['model']);
  const read = await plansOf(async () => {
    expect((await staffQueries.list({ status: 'completed', model }, null, 8)).lines).toHaveLength(
      8,
    );
  });
  expect(sum(read.map(([, documents]) => documents))).toBeLessThan(100);
  const few = await plansOf(() =>
    staffQueries.list({ status: 'completed', model: 'none' }, null, 8),
  );
  expect(sum(few.map(([, documents]) => documents))).toBeLessThan(stored + 100);
});

test('queries that run every few seconds do not read everything', async () => {
  const { database, clock, collections } = gateway;
  const { generations } = database;
  const upkeep = createUpkeepStore(collections, clock);
  const read = await plansOf(async () => {
    await upkeep.acquireTidyLeases(clock.now(), 200, 0);
    const shard = { index: 0, count: 4 };
    await upkeep.findNeglected(shard, 0, clock.now(), 1_000);
    for await (const page of upkeep.openIds(shard, 0, 1_000)) expect(page.length).toBeLessThan(9);
    for await (const page of upkeep.listStarvedAccounts(shard, 10)) expect(page).toEqual([]);
    for await (const page of upkeep.listAccountsWithExpiredLots(shard, clock.now())) {
      expect(page).toEqual([]);
    }
  });
  expect(read.length).toBeGreaterThanOrEqual(5);
  expect(read.filter(([plan, documents]) => /COLLSCAN/.test(plan) || documents > 15)).toEqual([]);
  const looks = await profile(gateway.db, ['agendaJobs', 'generations', 'mails'], () =>
    createWorkStore(collections, clock, 'a worker').findDue(),
  );
  // One statement, with almost no reads of each collection.
  expect(looks.map(({ keys, documents }) => [keys < 6, documents < 6])).toEqual([[true, true]]);
  const durations = await plansOf(async () => {
    const found = await generations.listRecentDurations(1, 200);
    expect([...found].map(([model, each]) => [model, each.length])).toEqual([
      [wanted['model'], 200],
    ]);
  });
  // The index alone answers it.
  expect(durations.map(([, documents]) => documents)).toEqual([0]);
  const today = dayOf(clock.now() - dayMs);
  const costs = await plansOf(() => opened.staff.costs.findLines({ from: today, to: today }));
  expect(costs.map(([plan, documents]) => [/COLLSCAN/.test(plan), documents <= 1_441])).toEqual([
    [false, true],
  ]);
  const figures = await plansOf(() => opened.staff.figures.loadAll());
  expect(figures.filter(([plan]) => /COLLSCAN/.test(plan))).toEqual([]);
});

test('erasing finds everything of an account through indexes', async () => {
  const { staff } = opened;
  const customer = await gateway.addAccount();
  const { collections, db } = gateway;
  const template = await collections.generations.findOne({ accountId: 'acct 1' });
  const own = { _id: gateway.random.newId('gen'), accountId: customer.accountId };
  await plain(collections.generations).insertOne({ ...template, ...own });
  const names = Object.values(collections).map(({ collectionName }) => collectionName);
  const read = await profile(db, names, async () => {
    await eraseAccount(staff, customer.accountId);
    await eraseGenerations(staff, new AbortController().signal, customer.accountId);
  });
  expect(await staff.database.erasures.find(customer.accountId)).toMatchObject({ count: 1 });
  const of = (list: typeof read) =>
    [...new Set(list.map(({ collection }) => collection))].toSorted();
  const erased = ['accounts', 'erasures', 'generations', 'realPersonAudit', 'uploads'];
  const ofSite = ['confirmations', 'customerFactors', 'mails', 'notices', 'sessions'];
  const traces = [...ofSite, 'collections', 'formerKeys', 'invitations', 'keyUses', 'shares'];
  expect(of(read)).toEqual(expect.arrayContaining([...erased, ...traces]));
  // The process reads its own small collections in the meantime.
  const ofProcesses = [
    'breakers',
    'deliveries',
    'upkeepRounds',
    'leases',
    'migrations',
    'processes',
  ];
  const scans = read.filter(
    ({ collection, plan }) => /COLLSCAN/.test(plan) && !ofProcesses.includes(collection),
  );
  expect(of(scans)).toEqual([]);
});

test('erasing reads each generation once, and one undeletable file stops none of the others', async () => {
  const { staff } = opened;
  const customer = await gateway.addAccount();
  const { generations } = gateway.collections;
  const template = await generations.findOne({ accountId: 'acct 1' });
  const copies = Array.from({ length: 600 }, () => ({
    ...template,
    _id: gateway.random.newId('gen'),
    accountId: customer.accountId,
    prompt: 'mine',
  }));
  await plain(generations).insertMany(copies);
  const [stuck = ''] = copies.map(({ _id }) => _id);
  let trouble = true;
  const media = {
    ...staff.media,
    delete: async (key: string) => {
      if (trouble && key.includes(stuck)) throw new Error('it cannot be deleted');
    },
  };
  const deps = { ...staff, media };
  const left = () => generations.find({ accountId: customer.accountId, prompt: 'mine' }).toArray();
  const { erasures } = staff.database;
  const never = new AbortController().signal;
  await eraseAccount(deps, customer.accountId);
  expect(await left()).toHaveLength(copies.length);
  const read = await plansOf(() => eraseGenerations(deps, never));
  expect(await erasures.find(customer.accountId)).toMatchObject({ count: 599, doneAt: null });
  const documents = sum(read.map(([, examined]) => examined));
  expect(documents).toBeLessThan(2 * copies.length);
  expect((await left()).map(({ _id }) => _id)).toEqual([stuck]);
  trouble = false;
  // It is paused until its next use.
  await eraseGenerations(deps, never);
  expect(await left()).toHaveLength(1);
  await eraseAccount(deps, customer.accountId);
  await eraseGenerations(deps, never);
  expect(await left()).toEqual([]);
  expect(await erasures.find(customer.accountId)).toMatchObject({
    count: 600,
    doneAt: expect.any(Number),
  });
});

test('unknown outcomes that were resolved long ago are not read again', async () => {
  const { generations } = gateway.collections;
  const template = await generations.findOne({ accountId: 'acct 1' });
  const copies = Array.from({ length: 500 }, (_, index) => ({
    ...template,
    _id: gateway.random.newId('gen'),
    accountId: 'acct unknown',
    endedAt: new Date(0),
    attempts: [{ number: 1, outcome: 'unknown' }],
    ...(index > 2 && { resolution: { resolvedAt: new Date(), isFound: false, by: 'a test' } }),
  }));
  await plain(generations).insertMany(copies);
  const read = await plansOf(() => opened.staff.staffQueries.listUnresolved(200));
  expect(read.map(([, documents]) => documents)).toEqual([3]);
  // Figures are kept for a while: another process has none yet.
  const fresh = await openStaff(gateway);
  const counted = await plansOf(async () => {
    expect((await fresh.staff.figures.loadAll()).unresolved).toBe(3);
  });
  await fresh.close();
  const ofUnknown = counted.filter(([plan]) => plan.includes('resolution.resolvedAt'));
  expect(ofUnknown.map(([, documents]) => documents <= 3)).toEqual([true]);
});
