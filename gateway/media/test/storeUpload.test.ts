import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { createDiskStore } from '../src/diskStore.ts';
import type { KeptPart } from '../src/media.ts';
import { createStoreUpload, type UploadLimits } from '../src/storeUpload.ts';
import { pictureWithMetadata } from './outputStore.ts';

let folder: string;
let picture: Uint8Array;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-uploads-'));
  picture = await pictureWithMetadata('png');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileLimits = {
  image: { maxBytes: 1_000_000, maxPixels: 1_000_000 },
  video: { maxBytes: 1, maxSeconds: 1 },
  audio: { maxBytes: 1, maxSeconds: 1 },
};
/** A process that takes files. `tempFolder` holds one folder for each current file. */
function open(limits: Partial<UploadLimits> = {}) {
  const tempFolder = join(folder, crypto.randomUUID());
  const store = createDiskStore(join(folder, 'store'));
  const take = createStoreUpload({ store, fileLimits, tempFolder, decodesVideo: false, limits });
  const stop = new AbortController();
  return {
    stop,
    here: async () => (await readdir(tempFolder).catch(() => [])).length,
    give: (accountId: string, data: AsyncIterable<Uint8Array>, keep: KeptPart = 'file') =>
      take(
        { accountId, type: 'image', keep },
        data,
        async () => ({ key: `uploads/${accountId}/0.png`, previewKey: null }),
        stop.signal,
      ),
  };
}
async function* whole(): AsyncGenerator<Uint8Array> {
  yield picture;
}
/** A sender that sends one byte and then waits for a signal. */
function trickle() {
  const goOn = Promise.withResolvers<undefined>();
  async function* data(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    await goOn.promise;
    yield picture;
  }
  return { data: data(), goOn: () => goOn.resolve(undefined) };
}
const rejected = (given: Promise<unknown>[]) =>
  Promise.all(given.map((each) => expect(each).rejects.toThrow('the test is over')));

describe('files that trickle in', () => {
  test('do not hold up other accounts, with two from each of four accounts', async () => {
    const { give, here, stop } = open();
    const slow = [1, 2, 3, 4].flatMap((account) => [
      give(`acct_${account}`, trickle().data),
      give(`acct_${account}`, trickle().data),
    ]);
    await until(async () => (await here()) === slow.length, 'all of them are on their way');
    expect(await give('acct_other', whole())).toEqual({ ok: true });
    stop.abort(new Error('the test is over'));
    await rejected(slow);
  });

  test('are cut off below a minimum speed, and leave nothing behind', async () => {
    const { give, here } = open({ speedWindowMs: 50 });
    expect(await give('acct_1', trickle().data)).toEqual({
      ok: false,
      problem: 'too_slow',
      bytesPerSecond: 64_000,
    });
    expect(await here()).toBe(0);
  });

  test('from a host are also cut off, and take no slot of other accounts', async () => {
    const { give, here } = open({ speedWindowMs: 50, maxOnDisk: 1 });
    const slow = give('acct_1', trickle().data, 'preview');
    await Promise.all([
      expect(slow).rejects.toThrow('in 50 ms'),
      until(async () => (await here()) === 1),
    ]);
    expect(await give('acct_2', whole(), 'preview')).toEqual({ ok: true });
  });

  test("keep their own account's third file waiting until there is room", async () => {
    const { give, here } = open({ maxWaitMs: 50 });
    const [first, second] = [trickle(), trickle()];
    const slow = [first, second].map(({ data }) => give('acct_1', data));
    await until(async () => (await here()) === 2);
    const third = give('acct_1', whole());
    first.goOn();
    second.goOn();
    // They send no picture.
    expect(await Promise.all(slow)).toMatchObject([{ problem: 'invalid' }, { problem: 'invalid' }]);
    expect(await third).toEqual({ ok: true });
  });
});

test.each<KeptPart>(['file', 'preview', 'lastFrame'])(
  'a %s is refused after a while when all accounts together have used the room',
  async (keep) => {
    const { give, here, stop } = open({ maxOnDisk: 2, maxFrames: 2, maxWaitMs: 50 });
    const slow = ['acct_1', 'acct_2'].map((account) => give(account, trickle().data, keep));
    await until(async () => (await here()) === 2);
    const busy = { ok: false, problem: 'busy', retryAfterSeconds: 1 };
    expect(await give('acct_3', whole(), keep)).toEqual(busy);
    stop.abort(new Error('the test is over'));
    await rejected(slow);
  },
);
