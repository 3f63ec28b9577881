import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { addUpload } from '../../gateway/src/application/studio/uploads.ts';
import { type Upload, uploadLimits } from '../../gateway/src/domain/generations/uploads.ts';
import { takeTestDatabase } from '../support/database.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
let first: UpkeepProcess;
let broken = 'no key';
const deleted: string[] = [];
/** Keys of the files in the store. */
const stored = new Set<string>();
const media = {
  async delete(key: string) {
    if (key.includes(broken)) throw new Error('EIO');
    deleted.push(key);
    stored.delete(key);
  },
} as never;

beforeAll(async () => {
  first = await openUpkeepProcess(database.uri, { media });
});
afterAll(async () => {
  await first.close();
  await database.drop();
});

test('uploads are removed after their time or with their account, and one that cannot be removed stops no other', async () => {
  const { uploads } = first.deps.database;
  const nowMs = first.mongo.clock.now();
  const add = async (accountId: string, expiresAt: number): Promise<Upload> => {
    const id = first.deps.random.newId('upl');
    const own = { key: `uploads/${id}/0.jpg`, previewKey: `uploads/${id}/preview.webp` };
    const about = { bytes: 1, size: null, seconds: null, type: 'image', source: null } as const;
    const upload = { id, accountId, ...own, ...about, createdAt: nowMs, expiresAt, neededUntil: 0 };
    await uploads.insert(upload);
    return upload;
  };
  const stuck = await add('acct_1', nowMs - 2);
  const old = await add('acct_1', nowMs - 1);
  const fresh = await add('acct_1', nowMs + minuteMs);
  const erased = await add('acct_2', nowMs + minuteMs);
  expect(await uploads.find(old.id)).toBeNull();
  await uploads.expireAll('acct_2');
  broken = stuck.id;
  await first.round('tidy');
  const left = (await uploads.listOfAccount('acct_1')).map(({ id }) => id);
  expect(left).toEqual([stuck.id, fresh.id]);
  expect(await uploads.listOfAccount('acct_2')).toEqual([]);
  expect(deleted).toEqual(
    expect.arrayContaining([old.key, old.previewKey, erased.key, erased.previewKey]),
  );
  // A generation that has not begun keeps its inputs.
  const generationId = 'gen_1';
  await uploads.keepUntil({ accountId: 'acct_1', generationId }, [fresh.id], nowMs + 120_000);
  expect(await uploads.find(fresh.id)).toMatchObject({ expiresAt: nowMs + 120_000 });
  await uploads.keepUntil({ accountId: 'acct_2', generationId }, [fresh.id], nowMs + 240_000);
  expect(await uploads.find(fresh.id)).toMatchObject({ neededUntil: nowMs + 120_000 });
});

/** Stores a file of an account; `meanwhile` runs between its record and the end of its upload. */
function keepFile(accountId: string, meanwhile: () => Promise<unknown>) {
  const of = { accountId, type: 'image', keep: 'file', source: null } as const;
  const deps = {
    ...first.deps,
    attempts: { count: async () => ({ count: 1, endsAt: 0 }), clear: async () => undefined },
    storeUpload: async (_of: unknown, _data: unknown, note: StoreUploadNote) => {
      const about = { extension: 'jpg', hasPreview: false, bytes: 1, size: null, seconds: null };
      const { key } = await note(about);
      await meanwhile();
      if (key !== null) stored.add(key);
      return { ok: true } as const;
    },
  };
  return addUpload(deps, of, (async function* () {})(), new AbortController().signal);
}
type StoreUploadNote = Parameters<Parameters<typeof addUpload>[0]['storeUpload']>[2];

describe('a file in transit to the store leaves nothing there', () => {
  const erase = async (accountId: string) => {
    const { accounts } = first.mongo.collections;
    await accounts.updateOne({ _id: accountId }, { $set: { status: 'suspended' } });
    await first.deps.database.uploads.expireAll(accountId);
  };

  test('when its account is erased meanwhile, before or after upkeep', async () => {
    for (const tidies of [true, false]) {
      const accountId = await first.addAccount();
      const kept = keepFile(accountId, async () => {
        await erase(accountId);
        if (tidies) await first.round('tidy');
      });
      await expect(kept).rejects.toThrow('upload_replaced');
      expect([...stored]).toEqual([]);
      expect(await first.deps.database.uploads.listOfAccount(accountId)).toEqual([]);
    }
  });

  test('when its account was erased before it arrived', async () => {
    const accountId = await first.addAccount();
    await erase(accountId);
    const kept = keepFile(accountId, () => Promise.reject(new Error('it is not stored')));
    await expect(kept).rejects.toMatchObject({ code: 'account_suspended' });
    expect(await first.deps.database.uploads.listOfAccount(accountId)).toEqual([]);
  });

  test('when newer files need its space', async () => {
    const accountId = await first.addAccount();
    const kept = keepFile(accountId, async () => {
      for (let more = 0; more < uploadLimits.count; more += 1) {
        await keepFile(accountId, async () => undefined);
      }
    });
    await expect(kept).rejects.toThrow('upload_replaced');
    const keys = (await first.deps.database.uploads.listOfAccount(accountId)).map(({ key }) => key);
    expect(keys).toHaveLength(uploadLimits.count);
    expect([...stored].sort()).toEqual(keys.sort());
  });
});
