import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { profile, type ProfiledOperation } from '../support/profile.ts';
import { openGrowthWorld, type GrowthWorld } from './growthWorld.ts';

/**
 * Statements of a request and of the life of its generation that do not name the account, by collection and named
 * fields. A database in several shards has to ask all of them (docs/adr/0036-shards.md).
 */
const scattered: Readonly<Record<string, string>> = {
  'generations: _id':
    'serves a file, whose address names no account; the answer is kept for some seconds',
  'generations: open, place': 'counts what is under way at a provider, before an order',
  'generations: dueAt, open, place, step': 'finds polls that are due, for all accounts at once',
  'generations: accountId, leaseUntil, step, waits, waitsFor.providers':
    'gives a free place of a provider to the next account',
};

/** Rounds of upkeep, whose first ones may fall into the test; they read all shards by their nature. */
const upkeep = [
  'accounts: nextExpiryAt',
  'accounts: $expr, nextExpiryAt',
  'accounts: plan.nextAt',
  'accounts: $expr, waiting',
  'accounts: _id',
  'accountLookups: _id',
  'generations: tidyAt',
  'generations: open',
  'generations: $or, dueAt, leaseUntil, open, step',
];

/** The field of each collection by which its documents are spread over shards: the id of a generation alone is none. */
const shardKeys: Readonly<Record<string, string>> = {
  accounts: '_id',
  accountLookups: '_id',
  generations: 'accountId',
  ledger: 'accountId',
};

let world: GrowthWorld;
beforeAll(async () => {
  const size = { generations: 100, accounts: 10, largest: 50 };
  world = await openGrowthWorld(size, { reconcileEveryMs: 600_000 });
});
afterAll(() => world.stop());

test('statements of a request and of its generation name their account, or are listed', async () => {
  const paths = world.paths.filter(({ name }) => /^(API|read a generation|a file)/.test(name));
  expect(paths).toHaveLength(5);
  const { db } = world.gateway.gateway.database;
  const read = await profile(
    db,
    ['accounts', 'accountLookups', 'generations', 'ledger'],
    async () => {
      for (const { work } of paths) await work();
    },
  );
  expect(read.length).toBeGreaterThan(20);
  const found = new Set(read.filter((each) => !namesOne(each)).map(nameOf));
  const known = [...Object.keys(scattered), ...upkeep];
  expect([...found].filter((name) => !known.includes(name))).toEqual([]);
});

const filterOf = ({ command }: ProfiledOperation): Record<string, unknown> => {
  const [first] = (command['pipeline'] ?? []) as { $match?: object }[];
  const filter = command['filter'] ?? command['query'] ?? command['q'] ?? first?.$match ?? {};
  return filter as Record<string, unknown>;
};

/** Whether a statement writes new documents, or names accounts: one, or a list of them. */
function namesOne(each: ProfiledOperation): boolean {
  if (each.op === 'insert') return true;
  const value = filterOf(each)[shardKeys[each.collection] ?? ''];
  return typeof value === 'string' || Array.isArray((value as { $in?: unknown } | undefined)?.$in);
}

function nameOf(each: ProfiledOperation): string {
  const fields = Object.keys(filterOf(each)).toSorted();
  return `${each.collection}: ${fields.join(', ')}`;
}
