import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { recordErasure } from '../../gateway/src/adapters/mongo/accounts/erasureStore.ts';
import { parseStoredGeneration } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import type { Attempt } from '../../gateway/src/domain/generations/attempt.ts';
import { withoutQuotes } from '../../gateway/src/domain/generations/quotesOfPrompt.ts';
import { takeTestDatabase } from '../support/database.ts';
import { plain } from '../support/plainCollection.ts';
import { openUpkeepProcess, overdue, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
let first: UpkeepProcess;
let second: UpkeepProcess;

/** Records an erasure with only generations left. */
const begin = (accountId: string) =>
  recordErasure(first.mongo.collections, { accountId, person: null, traces: [] });
/** Parts of the keys of files whose removal fails, and how often each file was removed. */
const broken = new Set<string>();
const removals = new Map<string, number>();
const media = {
  async delete(key: string) {
    if ([...broken].some((part) => key.includes(part))) throw new Error('EIO');
    removals.set(key, (removals.get(key) ?? 0) + 1);
  },
} as never;

beforeAll(async () => {
  first = await openUpkeepProcess(database.uri, { media });
  second = await openUpkeepProcess(database.uri, { media });
});
afterEach(async () => {
  for (const name of ['generations', 'erasures'] as const) {
    await first.mongo.collections[name].deleteMany({});
  }
  broken.clear();
  removals.clear();
});
afterAll(async () => {
  await first.close();
  await second.close();
  await database.drop();
});

/** Makes ended generations of an account, each with a file under its own id. */
async function addEnded(count: number, accountId: string): Promise<string[]> {
  const ids = await first.addGenerations(count, accountId, () =>
    overdue(first.mongo.clock.now(), 0),
  );
  const { generations } = first.mongo.collections;
  await plain(generations).updateMany({ _id: { $in: ids } }, [
    {
      $set: {
        outputs: [{ key: { $concat: ['outputs/', '$_id', '/0.mp4'] } }],
        madeBy: 'acct_person',
      },
    },
  ]);
  return ids.sort();
}

const find = (accountId: string) => second.deps.database.erasures.find(accountId);
const erased = () =>
  first.mongo.collections.generations.countDocuments({
    accountId: 'acct_1',
    erased: true,
    prompt: '',
    madeBy: { $exists: false },
  });

test('everything that may quote the prompt is erased, and nothing is added', async () => {
  const said = 'refused: a red boat';
  const attempt = { number: 1, provider: 'ark', model: 'a-1', startedAt: 1, outcome: 'failed' };
  const full = {
    ...attempt,
    operation: { taskId: 'cgt-1' },
    cost: null,
    note: said,
    doubt: { sign: 'no result', times: 1, since: 1, reason: said },
    fetches: { attempts: 1, at: 1, error: said },
    lost: { reason: 'no_result', note: said },
    cancel: { at: 1, isAccepted: false, note: said },
    refused: { at: 1, until: 1, files: [{ key: 'a', bytes: 1, sha256: 'b', head: said }] },
  } as Attempt;
  const bare = { ...attempt, number: 2, operation: null, cost: null, note: null } as Attempt;
  const more = { ...overdue(first.mongo.clock.now(), 0), prompt: 'a red boat' };
  const attempts = [full, bare];
  await first.addGenerations(1, 'acct_1', () => ({ ...more, attempts }));
  await begin('acct_1');
  await first.round('erase');
  const [left] = await first.mongo.collections.generations.find({ accountId: 'acct_1' }).toArray();
  expect(left).toMatchObject({ prompt: '', erased: true, responses: null });
  expect(left && parseStoredGeneration(left).attempts).toEqual(
    withoutQuotes({ inputs: [], parameters: {} as never, attempts }).attempts,
  );
});

test('another process continues after a stop between two pages, and each generation is erased once', async () => {
  const ids = await addEnded(450, 'acct_1');
  await begin('acct_1');
  let pages = 0;
  const dying = await openUpkeepProcess(database.uri, { media });
  const own = dying.deps.database.erasures;
  dying.deps.database.erasures = {
    ...own,
    async loadPage(lease, limit) {
      pages += 1;
      if (pages > 1) throw new Error('killed');
      return own.loadPage(lease, limit);
    },
  };
  await dying.round('erase');
  await dying.close();
  const count = (await find('acct_1'))?.count ?? 0;
  expect([count > 0, count < ids.length]).toEqual([true, true]);
  expect(await find('acct_1')).toMatchObject({ after: ids[count - 1], doneAt: null });
  expect(await erased()).toBe(count);
  // Leases of the dead process last until they expire.
  await second.round('erase');
  expect(await erased()).toBe(count);
  const dueAt = new Date(first.mongo.clock.now());
  await first.mongo.collections.erasures.updateOne({ _id: 'acct_1' }, { $set: { dueAt } });
  await Promise.all([first.round('erase'), second.round('erase')]);
  expect(await find('acct_1')).toMatchObject({ count: 450, doneAt: expect.any(Number) });
  expect(await erased()).toBe(450);
  expect(ids.map((id) => removals.get(`outputs/${id}/0.mp4`))).toEqual(ids.map(() => 1));
  // A repeat changes nothing.
  await begin('acct_1');
  await first.round('erase');
  expect(await find('acct_1')).toMatchObject({ count: 450, doneAt: expect.any(Number) });
  expect(new Set(removals.values())).toEqual(new Set([1]));
}, 120_000);

test('a file that cannot be deleted stops neither the others nor other accounts', async () => {
  const [stuck = ''] = await addEnded(30, 'acct_1');
  await addEnded(3, 'acct_2');
  broken.add(stuck);
  await begin('acct_1');
  await begin('acct_2');
  await first.round('erase');
  expect(await find('acct_1')).toMatchObject({ count: 29, attempts: 1, doneAt: null });
  expect(await find('acct_2')).toMatchObject({ count: 3, doneAt: expect.any(Number) });
  // It pauses for a while.
  broken.clear();
  await first.round('erase');
  expect(await erased()).toBe(29);
  await begin('acct_1');
  await first.round('erase');
  expect(await find('acct_1')).toMatchObject({ count: 30, doneAt: expect.any(Number) });
});
