import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Collection, MongoClient } from 'mongodb';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.ts';
import type { TypedCollection } from '../models/statements.ts';
import { loadWindowPage } from './windowPage.ts';

interface Item {
  _id: string;
  owner: string;
  kind: number;
}

let database: TestDatabase;
let client: MongoClient;
let items: Collection<Item>;
beforeAll(async () => {
  database = createTestDatabase();
  client = new MongoClient(database.uri);
  items = client.db(database.name).collection<Item>('items');
  await items.createIndex({ owner: 1, _id: -1, kind: 1 }, { name: 'list' }, {});
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

interface Reading {
  kind: number;
  maxExamined: number;
  limit: number;
}

/** Reads a list to its end. @returns The ids on each page. */
async function readPages({ kind, ...bounds }: Reading): Promise<string[][]> {
  const pages: string[][] = [];
  let before = '~';
  for (;;) {
    const { documents, last } = await loadWindowPage(items as unknown as TypedCollection<Item>, {
      match: { owner: 'one', _id: { $lt: before } },
      sort: { owner: 1, _id: -1 },
      hint: 'list',
      conditions: { kind },
      isUnselective: false,
      projection: {},
      ...bounds,
    });
    pages.push(documents.map(({ _id }) => _id));
    if (!last) return pages;
    before = last._id;
  }
}

test('the pages of a filtered list have each match once, newest first', async () => {
  const lists = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 40 });
  const readings = fc.record({
    kind: fc.integer({ min: 0, max: 3 }),
    maxExamined: fc.integer({ min: 2, max: 30 }),
    limit: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(lists, readings, async (kinds, reading) => {
      const list = kinds.map((kind, n) => ({
        _id: String(n).padStart(3, '0'),
        owner: 'one',
        kind,
      }));
      await items.deleteMany({});
      await items.insertMany(list);
      const pages = await readPages(reading);
      const matches = list.filter(({ kind }) => kind === reading.kind).map(({ _id }) => _id);
      expect(pages.flat()).toEqual(matches.toReversed());
      expect(pages.every((page) => page.length <= reading.limit)).toBe(true);
      expect(pages.length).toBeLessThanOrEqual(
        1 + matches.length / reading.limit + kinds.length / reading.maxExamined,
      );
    }),
    { numRuns: 60 },
  );
});
