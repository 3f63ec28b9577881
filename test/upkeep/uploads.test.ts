import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Upload } from '../../gateway/src/domain/mediaFiles.ts';
import { createTestDatabase } from '../support/database.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = createTestDatabase();
let first: UpkeepProcess;
let broken = '';
const deleted: string[] = [];
const media = {
  async delete(key: string) {
    if (key.includes(broken)) throw new Error('EIO');
    deleted.push(key);
  },
} as never;

beforeAll(async () => {
  first = await openUpkeepProcess(database.uri, { media });
});
afterAll(async () => {
  await first.close();
  await database.drop();
});

test('uploads go when their time is over or their account is erased; one that cannot stops no other', async () => {
  const { uploads } = first.deps.database;
  const now = first.mongo.clock.now();
  const add = async (accountId: string, expiresAt: number): Promise<Upload> => {
    const id = first.deps.random.newId('upl');
    const own = { key: `uploads/${id}/0.jpg`, previewKey: `uploads/${id}/preview.webp` };
    const about = { bytes: 1, size: null, seconds: null, type: 'image', source: null } as const;
    const upload = { id, accountId, ...own, ...about, createdAt: now, expiresAt, neededUntil: 0 };
    await uploads.insert(upload);
    return upload;
  };
  const stuck = await add('acct_1', now - 2);
  const old = await add('acct_1', now - 1);
  const fresh = await add('acct_1', now + 60_000);
  const erased = await add('acct_2', now + 60_000);
  expect(await uploads.find(old.id)).toBeNull();
  await uploads.expireAll('acct_2');
  broken = stuck.id;
  await first.round('tidy');
  const left = (await uploads.ofAccount('acct_1')).map(({ id }) => id);
  expect(left).toEqual([stuck.id, fresh.id]);
  expect(await uploads.ofAccount('acct_2')).toEqual([]);
  expect(deleted).toEqual(
    expect.arrayContaining([old.key, old.previewKey, erased.key, erased.previewKey]),
  );
  // A generation that has not begun keeps what it will read.
  const generationId = 'gen_1';
  await uploads.keepUntil({ accountId: 'acct_1', generationId }, [fresh.id], now + 120_000);
  expect(await uploads.find(fresh.id)).toMatchObject({ expiresAt: now + 120_000 });
  await uploads.keepUntil({ accountId: 'acct_2', generationId }, [fresh.id], now + 240_000);
  expect(await uploads.find(fresh.id)).toMatchObject({ neededUntil: now + 120_000 });
});
