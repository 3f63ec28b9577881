import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { dayMs, hourMs } from '@framegate/contract';
import { collectionNames } from '../../gateway/src/adapters/mongo/collections.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { takeTestDatabase } from '../support/database.ts';
import { plain } from '../support/plainCollection.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

/* The nightly search for erased people. */

const database = takeTestDatabase();
const alerts: Record<string, unknown>[] = [];
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object) => void alerts.push(fields as Record<string, unknown>),
};
let first: UpkeepProcess;
let second: UpkeepProcess;

beforeAll(async () => {
  first = await openUpkeepProcess(database.uri, { log });
  second = await openUpkeepProcess(database.uri, { log });
});
afterEach(async () => {
  for (const name of Object.values(collectionNames)) {
    const isOurs = name !== 'migrations' && name !== 'processes';
    const rest = isOurs ? {} : { deep: { $exists: true } };
    await first.mongo.db.collection(name).deleteMany(rest);
  }
  alerts.length = 0;
});
afterAll(async () => {
  await first.close();
  await second.close();
  await database.drop();
});

/** Erases a person, some time ago. */
async function eraseSomebody() {
  const email = `${randomUUID()}@customers.example`;
  const id = await first.addAccount({ email, isVerified: true });
  await eraseAccount(first.deps, id);
  await first.round('erase');
  await later();
  return { id, email };
}

/** A day passes for searches, and an hour for erasures. */
async function later() {
  const { searches, erasures } = first.mongo.collections;
  const ago = (ms: number) => new Date(first.mongo.clock.now() - ms);
  await searches.updateMany({}, { $set: { startedAt: ago(dayMs), finishedAt: ago(dayMs) } });
  await erasures.updateMany({ doneAt: { $ne: null } }, { $set: { doneAt: ago(hourMs) } });
}

/** Rounds until the search has ended. */
async function search() {
  for (let rounds = 0; rounds < 10; rounds += 1) {
    await first.round('erase');
    const found = await first.mongo.collections.searches.findOne({ _id: 'erased' });
    if (found?.finishedAt) return;
  }
  throw new Error('the search has not ended');
}

const erasureOf = (id: string) => first.deps.database.erasures.find(id);
/** A document in any collection; `at` is before every erasure. */
const planted = (more: object) => ({ _id: randomUUID(), at: new Date(1_000), ...more });

test('finds an address and an id in every collection of the database, and erases and searches again', async () => {
  const { id, email } = await eraseSomebody();
  const { db } = first.mongo;
  const all = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  for (const name of all) {
    const named = { deep: [{ words: `Mail <${email.toUpperCase()}>.`, [`of ${id}`]: 1 }] };
    await plain(db.collection(name)).insertOne(planted(named));
  }
  await search();
  const where = [...new Set(alerts.flatMap((alert) => alert['where'] as string[]))];
  const code = Object.fromEntries(
    Object.entries(collectionNames).map(([key, name]) => [name, key]),
  );
  const expected = all
    .flatMap((name) => [`${code[name]}.deep.words`, `${code[name]}.deep.of ${id}`])
    // The record of the erasure has the address until nothing is found.
    .filter((each) => each !== 'erasures.deep.words');
  expect(where.toSorted()).toEqual(expected.toSorted());
  expect(await erasureOf(id)).toMatchObject({
    person: { email },
    foundAt: expect.any(Number),
    checkedAt: null,
  });
});

test('forgets the address once nothing is found, and seeks the id for 30 days', async () => {
  const { id, email } = await eraseSomebody();
  await search();
  expect(alerts).toEqual([]);
  expect(await erasureOf(id)).toMatchObject({ person: null, checkedAt: expect.any(Number) });
  for (const name of Object.values(collectionNames)) {
    const documents = await first.mongo.db.collection(name).find().toArray();
    expect(JSON.stringify(documents)).not.toContain(email);
  }
  // Brought back, perhaps by a late write.
  const { generationCollections } = first.mongo.collections;
  await plain(generationCollections).insertOne(planted({ accountId: id, name: 'x' }));
  await later();
  await search();
  expect(alerts).toMatchObject([
    { alert: 'erased_person_found', where: ['generationCollections.accountId'] },
  ]);
  await first.round('erase');
  expect(await generationCollections.countDocuments({ accountId: id })).toBe(0);
  await later();
  await search();
  expect(alerts).toHaveLength(1);
  const { erasures, searches } = first.mongo.collections;
  const past = new Date(first.mongo.clock.now() - 1);
  await erasures.updateMany({}, { $set: { soughtUntil: past } });
  await later();
  await search();
  await later();
  await first.round('erase');
  // The search for the person has ended.
  expect((await searches.findOne({ _id: 'erased' }))?.finishedAt?.getTime()).toBeLessThan(
    past.getTime() - 1_000,
  );
});

test('a membership that came back is removed again', async () => {
  const { id, email } = await eraseSomebody();
  const member = { id, email, role: 'member', joinedAt: 1_000 };
  const invited = { id: 'x', email, role: 'member', sentAt: 1_000, until: 2_000 };
  const team = await first.addAccount({ members: [member], invitations: [invited] });
  await search();
  await first.round('erase');
  expect(await first.deps.database.accounts.find(team)).toMatchObject({
    members: [],
    invitations: [],
  });
  expect(alerts).toHaveLength(1);
});

test('new data of the same mailbox after the erasure is kept', async () => {
  const { id, email } = await eraseSomebody();
  const nowMs = first.mongo.clock.now();
  const again = await first.addAccount({ email, isVerified: true });
  const invited = { id: 'x', email, role: 'member', sentAt: nowMs, until: nowMs + dayMs };
  const team = await first.addAccount({ invitations: [invited] });
  await search();
  expect(alerts).toEqual([]);
  expect(await erasureOf(id)).toMatchObject({ person: null, checkedAt: expect.any(Number) });
  expect(await first.deps.database.accounts.findIdByEmail(email)).toBe(again);
  expect(await first.deps.database.accounts.find(team)).toMatchObject({ invitations: [{ email }] });
});

test('a search whose process dies is continued by another, and two at a time do no harm', async () => {
  const { id } = await eraseSomebody();
  const { keyUses, notices } = first.mongo.collections;
  await plain(keyUses).insertMany(
    Array.from({ length: 450 }, (_, number) => planted({ usedAt: new Date(), number })),
  );
  await plain(notices).insertOne({ _id: id });
  let points = 0;
  const dying = await openUpkeepProcess(database.uri, {
    log,
    reachFaultPoint(point) {
      if (point !== 'search.beforeNoted') return;
      points += 1;
      if (points === 12) throw new Error('killed');
    },
  });
  await expect(dying.round('erase')).rejects.toThrow('killed');
  await dying.close();
  expect(await first.mongo.collections.searches.findOne({ _id: 'erased' })).toMatchObject({
    finishedAt: null,
  });
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await Promise.all([first.round('erase'), second.round('erase')]);
  }
  expect(alerts.length).toBeGreaterThanOrEqual(1);
  expect(new Set(alerts.flatMap((alert) => alert['where']))).toEqual(new Set(['notices._id']));
  expect(await notices.countDocuments({})).toBe(0);
  expect(await first.mongo.collections.searches.findOne({ _id: 'erased' })).toMatchObject({
    finishedAt: expect.any(Date),
  });
});
