import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { sampleHost, samplePictures } from '../../gateway/src/adapters/net/sampleHost.ts';
import { tidyGenerations } from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { possibleOutputKeys } from '../../gateway/src/domain/generations/mediaFiles.ts';
import { posterKey, posterWidths } from '../../gateway/src/domain/generations/mediaUrl.ts';
import { imageInput, video } from '../support/bodies.ts';
import type { TestAccount } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { runNode } from '../support/runNode.ts';
import { until } from '../support/until.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';

/*
 * The attack: someone with access to the database or an old link finds, years later, data that should be gone.
 */

const dayLengthMs = 24 * hourMs;
const world = useArkGateway({
  env: { OUTPUTS_KEPT_SECONDS: String((3 * dayLengthMs) / 1000), POSTERS: 'all' },
});
let { ark, gateway } = {} as ArkGateway;
beforeAll(() => {
  ({ ark, gateway } = world());
});

const input = `https://${sampleHost}/${samplePictures[0]}?token=secret`;
const create = (account: TestAccount, idempotencyKey: string) => {
  const body = video({
    model: 'alpha-2.0-pro',
    mode: 'image-to-video',
    prompt: 'A private matter',
    inputs: [imageInput(input)],
    parameters: { real_person_mode: true },
    compliance: { rights_confirmed: true, consent_reference: 'c-1' },
  });
  return account.post('/v1/videos', body, { 'idempotency-key': idempotencyKey });
};
async function completed(account: TestAccount): Promise<{ id: string; url: string }> {
  const created = await create(account, 'order-1');
  expect(created.status).toBe(202);
  const id = String(created.json['id']);
  const ended = await account.untilEnded(id);
  expect(ended['status']).toBe('completed');
  return { id, url: (ended['output'] as { video_url: string }).video_url };
}
const stored = async (id: string): Promise<Generation> => {
  const found = await gateway.database.generations.find(id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
};
/** The number of stored posters, recorded or not. */
const posters = async (id: string): Promise<number> => {
  const media = createDiskStore(join(gateway.dataDir, 'media'));
  const [output = ''] = possibleOutputKeys(await stored(id));
  const found = await Promise.all(
    posterWidths.map((width) => media.stat(posterKey(output, width))),
  );
  return found.filter((each) => each !== null).length;
};
const statusOf = async (url: string) => (await fetch(url)).status;
const admin = async (...args: string[]) => runNode(['gateway/src/admin.ts', ...args], gateway.env);

/** Tidies as at a later time. */
async function tidyAfter(ms: number): Promise<void> {
  const { collections, clock, database } = gateway;
  const config = loadConfig(gateway.env);
  if (config.mediaStore.kind !== 'disk') throw new Error('the tests keep files on disk');
  const deps = {
    database,
    posters: { types: [], make: async () => 'impossible' as const },
    upkeep: createUpkeepStore(collections, clock),
    log: collectLog().log,
    clock: { now: () => clock.now() + ms, skewMs: () => 0, wrongClock: () => null },
    timings: defaultTimings,
    media: createDiskStore(config.mediaStore.folder),
    outputsKeptMs: config.outputsKeptSeconds * 1000,
    promptsKeptMs: config.promptsKeptSeconds * 1000,
  };
  await tidyGenerations(deps, new AbortController().signal);
}

describe('data past its retention is removed', () => {
  test('removes inputs after a day, outputs after three, the key after seven, the prompt after thirty', async () => {
    const account = await gateway.addAccount({ hosts: [sampleHost] });
    const { id, url } = await completed(account);
    expect(await stored(id)).toMatchObject({
      prompt: 'A private matter',
      inputs: [{ url: input }],
    });
    expect((await stored(id)).storedInputs).toHaveLength(1);
    expect(await statusOf(url)).toBe(200);

    await tidyAfter(dayLengthMs - hourMs);
    expect((await stored(id)).storedInputs).toHaveLength(1);
    await tidyAfter(dayLengthMs + hourMs);
    const [withoutToken = ''] = input.split('?');
    expect(await stored(id)).toMatchObject({
      storedInputs: [],
      inputs: [{ url: withoutToken }],
      prompt: 'A private matter',
    });
    expect(await statusOf(url)).toBe(200);
    expect(await posters(id)).toBe(2);

    await tidyAfter(3 * dayLengthMs + hourMs);
    expect(await posters(id)).toBe(0);
    expect((await stored(id)).outputsRemovedAt).not.toBeNull();
    expect(await statusOf(url)).toBe(410);
    // The files are gone but the key is kept, so a late repeat is not charged.
    expect((await create(account, 'order-1')).json['id']).toBe(id);

    await tidyAfter(7 * dayLengthMs + hourMs);
    expect(await stored(id)).toMatchObject({ replay: null, prompt: 'A private matter' });
    expect((await create(account, 'order-1')).json['id']).not.toBe(id);

    await tidyAfter(30 * dayLengthMs + hourMs);
    expect(await stored(id)).toMatchObject({ prompt: '', inputs: [{ url: '' }], tidyAt: null });
    expect((await account.get(`/v1/generations/${id}`)).json).toMatchObject({
      status: 'completed',
      output: { urls: [] },
    });
  });

  test('audit records are removed by the database after their own retention', async () => {
    const { realPersonAudit } = gateway.collections;
    const indexes = await realPersonAudit.indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { keptUntil: 1 }, expireAfterSeconds: 0 }),
    );
    const [record] = await realPersonAudit.find().toArray();
    const { at, keptUntil } = record as unknown as { at: Date; keptUntil: Date };
    expect(keptUntil.getTime() - at.getTime()).toBe(94_608_000_000);
  });
});

describe("a provider's text, which may quote the prompt, is removed", () => {
  const prompt = 'A quoted secret';
  // The whole prompt is masked before a note is stored; a part of it is not recognised.
  const part = 'quoted secret';
  async function refused(account: TestAccount): Promise<string> {
    const error = { code: 'InputTextSensitiveContentDetected', message: `Not "${part}".` };
    ark.script({ prompt, on: 'submit', fault: { kind: 'json', status: 400, body: { error } } });
    const created = await account.post('/v1/videos', video({ prompt }));
    const id = String(created.json['id']);
    expect((await account.untilEnded(id))['error']).toMatchObject({ code: 'input_rejected' });
    expect((await stored(id)).attempts[0]?.note).toContain(part);
    expect(JSON.stringify(await stored(id)).split(part)).toHaveLength(4);
    return id;
  }

  test('with the prompt', async () => {
    const id = await refused(await gateway.addAccount());
    await tidyAfter(30 * dayLengthMs + hourMs);
    const left = await stored(id);
    expect(left.attempts).toMatchObject([{ outcome: 'refused', note: null }]);
    expect(JSON.stringify(left)).not.toContain(part);
  });

  test('with the account', async () => {
    const account = await gateway.addAccount();
    const id = await refused(account);
    expect(await admin('account', 'erase', '--account', account.accountId)).toMatchObject({
      status: 0,
    });
    expect(JSON.stringify(await stored(id))).not.toContain(part);
  });
});

test('a takedown makes the URL of an output 410 immediately, and keeps the record and the charge', async () => {
  const account = await gateway.addAccount({ hosts: [sampleHost] });
  const { id, url } = await completed(account);
  expect(await statusOf(url)).toBe(200);
  expect(await admin('generation', 'takedown', '--generation', id)).toMatchObject({ status: 0 });
  expect(await statusOf(url)).toBe(410);
  expect(await posters(id)).toBe(0);
  expect((await account.get(`/v1/generations/${id}`)).json).toMatchObject({
    billing: { status: 'charged' },
    output: { urls: [] },
  });
});

test('an erased account keeps a clean ledger, and nothing else identifies it', async () => {
  const account = await gateway.addAccount({ hosts: [sampleHost] });
  const { id, url } = await completed(account);
  const { database, collections } = gateway;
  const before = await database.accounts.find(account.accountId);
  const entries = await database.ledger.find(account.accountId);
  // As left by a process that was killed before it could record the stored file.
  const media = createDiskStore(join(gateway.dataDir, 'media'));
  const unrecorded = `inputs/${id}/0.webp`;
  const bytes = new TextEncoder().encode('a picture');
  await media.put(unrecorded, bytes, { contentType: 'image/webp', maxBytes: bytes.length });
  expect(await admin('account', 'erase', '--account', account.accountId)).toMatchObject({
    status: 0,
  });
  expect(await statusOf(url)).toBe(410);
  expect(await posters(id)).toBe(0);
  expect(await media.stat(unrecorded)).toBeNull();
  expect(await database.ledger.find(account.accountId)).toEqual(entries);
  expect(await admin('ledger', 'verify')).toMatchObject({ status: 0 });
  const everything = await Promise.all(
    Object.entries(collections)
      // Only the erasure keeps the address, until the nightly search has found it nowhere else.
      .filter(([name]) => name !== 'erasures')
      .map(([, each]) => (each as typeof collections.ledger).find().toArray()),
  );
  const kept = JSON.stringify(
    everything
      .flat()
      .filter((each) => JSON.stringify(each).includes(account.accountId) || each._id === id),
  );
  expect(kept).toContain(entries[0]?.id);
  for (const gone of [before?.email, 'A private matter', 'token=secret', '127.0.0.1']) {
    expect(kept).not.toContain(gone);
  }
  expect((await account.post('/v1/videos', video())).status).toBe(401);
  // Reads may cache a key for five seconds.
  await until(async () => (await account.get('/v1/models')).status === 401);
});
