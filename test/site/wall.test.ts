import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs, minuteMs } from '@framegate/contract';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { requests } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { addFinished } from './support/addFinished.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { sent, useStudio } from './support/useStudio.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

const studio = useStudio({ FAVOURITES_KEPT_SECONDS: String(30 * 86_400) });
let visitor: Visitor;
let thief: Visitor;

beforeAll(async () => {
  const { gateway } = studio();
  ({ visitor } = studio());
  thief = createVisitor(gateway.origin);
  await signUpVerified(thief, gateway.dataDir, 'thief@example.com');
  await thief.get('/history');
});

const generations = () => studio().gateway.collections.generations;
const add = (more = {}) => addFinished(studio().gateway, studio().accountId, more);
const exists = async (id: string) => {
  const files = createDiskStore(join(studio().gateway.dataDir, 'media'));
  return (await files.stat(`outputs/${id}/0.jpg`)) !== null;
};
/** Ids on a page of the history, newest first. */
const shownOn = async (path: string, who = visitor) =>
  [...(await who.get(path)).text.matchAll(/class="what" id="(gen_\w+)"/g)].map(([, id]) => id);

describe('favourites', () => {
  test('are set for one or several, and listed by their own index', async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    await visitor.get('/history');
    const back = '/history?state=completed';
    const set = await visitor.post('/history/favourites?to=yes', { id: first, back, quiet: 'yes' });
    expect(set.path).toBe(back);
    expect(set.text).not.toContain('role="status"');
    expect(set.text).toMatch(
      new RegExp(
        `formaction="/history/favourites\\?to=no"[^>]*value="${first}" aria-pressed="true"`,
      ),
    );
    await visitor.post('/history/favourites?to=yes', { id: [second, third] });
    await visitor.post('/history/favourites?to=no', { id: second });
    const { db } = studio().gateway;
    const read = await profile(db, ['generations'], async () => {
      expect(await shownOn('/history?in=favourites')).toEqual([third, first]);
    });
    expect(read.map(({ plan }) => /isFavourite: 1/.test(plan))).not.toContain(false);
  });

  test('keep their files longer, and for two days after the mark has ended', async () => {
    const nowMs = studio().gateway.clock.now();
    const ended = (daysAgo: number, keptDays = 7) => ({
      endedAt: nowMs - daysAgo * dayMs,
      outputsRemoveAt: nowMs + (keptDays - daysAgo) * dayMs,
    });
    const ids = [await add(ended(0)), await add(ended(6.5)), await add(ended(6.5, 6))];
    await visitor.get('/history');
    const daysLeft = async () => {
      const found = await Promise.all(ids.map((_id) => generations().findOne({ _id })));
      return found.map((each) => (Number(each?.outputsRemoveAt) - nowMs) / dayMs);
    };
    await visitor.post('/history/favourites?to=yes', { id: ids });
    expect(await daysLeft()).toEqual([30, 23.5, -0.5]);
    await visitor.post('/history/favourites?to=no', { id: ids });
    const [fresh, old, gone] = await daysLeft();
    expect([fresh, gone]).toEqual([7, -0.5]);
    expect(old).toBeCloseTo(2, 2);
  });

  test('of others stay unchanged', async () => {
    const id = await add();
    await thief.post('/history/favourites?to=yes', { id });
    expect((await generations().findOne({ _id: id }))?.isFavourite).toBeUndefined();
  });
});

describe('collections', () => {
  test('can be made, filled, renamed and deleted, while their contents stay', async () => {
    const [first, second] = [await add(), await add()];
    await visitor.get('/history');
    const made = await visitor.post('/history/collections', {
      id: [first, second],
      name: ' Boats ',
    });
    expect(made.text).toContain('Added to “Boats”.');
    const [boats] = await studio().gateway.collections.generationCollections.find().toArray();
    const path = `/history?in=${boats?._id}`;
    const { db } = studio().gateway;
    const read = await profile(db, ['generations'], async () => {
      expect(await shownOn(path)).toEqual([second, first]);
    });
    expect(read.map(({ plan }) => /collectionIds: 1/.test(plan))).not.toContain(false);
    expect(await shownOn(path, thief)).toEqual([]);
    // The same name means the same collection.
    const third = await add();
    await visitor.post('/history/collections', { id: third, name: 'Boats' });
    await visitor.post(`/collections/${boats?._id}/take-out`, { id: first, back: path });
    expect(await shownOn(path)).toEqual([third, second]);
    await thief.post(`/collections/${boats?._id}/name`, { name: 'Mine' });
    await visitor.post(`/collections/${boats?._id}/name`, { name: 'Ships' });
    expect((await visitor.get(path)).text).toContain('Rename or delete “Ships”');
    await thief.post(`/collections/${boats?._id}/delete`);
    expect((await visitor.get('/history')).text).toContain('>Ships</a>');
    const deleted = await visitor.post(`/collections/${boats?._id}/delete`);
    expect(deleted.text).toContain('“Ships” deleted.');
    expect(await shownOn('/history')).toContain(second);
  });

  test.each([
    ['nothing is selected', { name: 'x' }, 'Select at least one result first.'],
    ['it has no name', { id: 'gen_01arz3ndektsv4rrffq69g5fav', name: '  ' }, 'Choose a collection'],
    [
      'its name is too long',
      { id: 'gen_01arz3ndektsv4rrffq69g5fav', name: 'x'.repeat(61) },
      'Use at most 60 characters',
    ],
  ])('are not made where %s', async (_, fields, words) => {
    await visitor.get('/history');
    expect((await visitor.post('/history/collections', fields)).text).toContain(words);
  });
});

describe('a generation that its owner deletes', () => {
  test('loses files and prompt, but keeps record, ledger and replayed response', async () => {
    const { gateway } = studio();
    const form = await visitor.get('/settings/public-api');
    const fields = { form_key: form.field('form_key'), name: 'n8n', models: 'image-b-2' };
    const made = await visitor.post('/settings/public-api/keys', fields);
    const api = requests(gateway.origin, /value="(fg_live_\w+)"/.exec(made.text)?.[1] ?? '');
    const key = { 'idempotency-key': 'again-and-again-and-again' };
    const body = { model: 'image-b-2', prompt: 'A secret harbour' };
    const first = await api.post('/v1/images', body, key);
    expect(first.status).toBe(202);
    const id = String(first.json['id']);
    const files = await generations().findOne({ _id: await add() });
    const { status, step, endedAt, outputs, outputsRemoveAt } = files ?? {};
    await generations().updateOne(
      { _id: id },
      { $set: { status, step, endedAt, outputs, outputsRemoveAt, open: false } as never },
    );

    const asked = await visitor.get(`/history/delete?id=${id}`);
    expect(asked.text).toContain('Delete this generation?');
    expect(await shownOn('/history')).toContain(id);
    const done = await visitor.post('/history/delete', { id });
    expect(done.text).toContain('1 deleted.');

    expect(await shownOn('/history')).not.toContain(id);
    const stored = await generations().findOne({ _id: id });
    expect(stored).toMatchObject({ prompt: '', costCredits: 6, status: 'completed' });
    expect(JSON.stringify(stored)).not.toContain('harbour');
    // Programs see the same as after the files' retention, and a repeated create request buys nothing.
    const record = await api.get(`/v1/generations/${id}`);
    expect(record.status).toBe(200);
    expect(record.json).toMatchObject({
      status: 'completed',
      billing: { cost_credits: 6, status: 'charged' },
      output: { urls: [], deleted_at: expect.stringMatching(/Z$/) as unknown },
    });
    const again = await api.post('/v1/images', body, key);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    // Its own page states this, the ledger links there, and the sums still match.
    expect((await visitor.get(`/generations/${id}`)).text).toContain('You deleted this on');
    expect((await visitor.get('/credits')).text).toContain(`/generations/${id}`);
    const repeated = await visitor.post('/history/delete', { id });
    expect(repeated.text).toContain('0 deleted.');
  });

  test('has its files deleted, its link revoked and its frames removed', async () => {
    const id = await add();
    expect(await exists(id)).toBe(true);
    const page = await visitor.get(`/generations/${id}`);
    const url = /href="([^"]+outputs[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await fetch(url)).status).toBe(200);
    await visitor.post(`/generations/${id}/share`, { days: '7' });
    await visitor.post('/history/delete', { id });
    expect(await exists(id)).toBe(false);
    const { shares } = studio().gateway.collections;
    expect(await shares.findOne({ _id: id })).toBeNull();
    // Upkeep finds it immediately and deletes the files that could not be deleted now.
    const stored = await generations().findOne({ _id: id });
    expect(stored?.tidyAt?.getTime()).toBeLessThanOrEqual(Date.now() + minuteMs);
  });

  test('leaves the ledger consistent: charge, refund and record still match', async () => {
    const { gateway } = studio();
    const owner = createVisitor(gateway.origin);
    await signUpVerified(owner, gateway.dataDir, 'owner@example.com');
    const form = await owner.post('/studio', { do: 'update', model: 'image-b-2', prompt: 'x' });
    const fields = { model: 'image-b-2', prompt: 'x', do: 'create', ...sent(form) };
    const made = await owner.post('/studio', fields);
    const id = /generation=(gen_\w+)/.exec(made.path)?.[1] ?? '';
    await generations().updateOne({ _id: id }, { $set: { step: 'parked' } });
    await owner.post(`/generations/${id}/cancel`);
    expect((await owner.post('/history/delete', { id })).text).toContain('1 deleted.');
    const { client, collections, database } = gateway;
    const ledgerAudit = createLedgerAudit(client, collections);
    const account = await database.accounts.findByEmail('owner@example.com');
    expect(account?.lots[0]?.remaining).toBe(600);
    const { generations: seen, problems } = await verifyLedger({ ledgerAudit }, account?.id);
    expect([seen, problems]).toEqual([1, []]);
  });

  test('never belongs to another account, and has always ended', async () => {
    const mine = await add();
    await thief.post('/history/delete', { id: mine });
    expect(await exists(mine)).toBe(true);
    const running = await studio().create({ model: 'image-b-2', prompt: 'still going' });
    const id = /generation=(gen_\w+)/.exec(running.path)?.[1] ?? '';
    const told = await visitor.post('/history/delete', { id });
    expect(told.text).toContain('One isn&#39;t finished');
    expect((await generations().findOne({ _id: id }))?.prompt).toBe('still going');
  });
});

describe('several that are selected', () => {
  test('come as one archive, without a token in the address', async () => {
    const ids = [await add(), await add()];
    const page = await visitor.get('/history');
    expect(page.text).toMatch(/<form\s+id="wall"\s+action="\/history\/files\.zip"/);
    const archive = await visitor.get(`/history/files.zip?id=${ids.join('&id=')}`);
    expect(archive.headers.get('content-type')).toBe('application/zip');
    expect(archive.text.match(/picture [01]/g)).toHaveLength(4);
    const others = await thief.get(`/history/files.zip?id=${ids[0]}`);
    expect(others.text).toContain('Nothing to download');
  });

  test('have descriptive names, and a list of the contents', async () => {
    const seed = 77;
    const parameters = { n: 1, resolution: '1k', aspect_ratio: '1:1', output_format: 'jpeg', seed };
    const ids = [
      await add({ prompt: '=SUM(1), "quoted"\nÜber den Wolken', parameters, createdAt: 0 }),
      await add({ prompt: '…' }),
    ];
    const { text } = await visitor.get(`/history/files.zip?id=${ids.join('&id=')}`);
    for (const name of [
      '1-framegate-1.jpg',
      '1-framegate-2.jpg',
      '2-sum-1-quoted-über-den-wolken-1.jpg',
    ]) {
      expect(text).toContain(name);
    }
    expect(text).toContain('file,prompt,model,seed,credits,created,generation\r\n');
    expect(text).toContain(
      `2-sum-1-quoted-über-den-wolken-1.jpg,"'=SUM(1), ""quoted""\nÜber den Wolken",Image B 2,77,`,
    );
    expect(text).toContain(`,${ids[0]}\r\n`);
  });
});

describe('a whole list', () => {
  let owner: Visitor;
  let accountId = '';
  const addOwn = (more = {}) => addFinished(studio().gateway, accountId, more);
  const list = (query: string) => `all=${encodeURIComponent(query)}`;

  beforeAll(async () => {
    const { gateway } = studio();
    owner = createVisitor(gateway.origin);
    await signUpVerified(owner, gateway.dataDir, 'lists@example.com');
    const { database } = gateway;
    accountId = (await database.accounts.findByEmail('lists@example.com'))?.id ?? '';
    for (let count = 0; count < 21; count += 1) await addOwn({ prompt: `boat ${count}` });
    await addOwn({ prompt: 'a lake' });
    await addOwn({ prompt: 'boat gone', outputsRemovedAt: 1, outputsRemoveAt: 1 });
  });

  test('is chosen with its count, beyond the page, and comes as one archive', async () => {
    const page = await owner.get('/history?q=boat');
    const choose = /href="([^"]*select=all)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const chosen = await owner.get(choose);
    expect(chosen.text.replace(/\s+/g, ' ')).toContain('All 22 in this list: 42 files, 1 kB');
    const value = /<input[^>]*name="all"[^>]*value="([^"]*)"[^>]*>/.exec(chosen.text);
    expect([value?.[1], value?.[0]]).toEqual(['q=boat', expect.stringContaining(' checked')]);
    const archive = await owner.get(`/history/files.zip?${list('q=boat')}`);
    expect(archive.text.match(/picture [01]/g)).toHaveLength(42);
    expect(archive.text).toContain('21-boat-0-2.jpg');
    expect(archive.text).not.toContain('lake');
    const others = await thief.get(`/history/files.zip?${list('in=favourites')}`);
    expect(others.text).toContain('Nothing to download');
  });

  test('is added to a collection, which is downloaded as a whole', async () => {
    await owner.get('/history');
    const added = await owner.post('/history/collections', { all: 'q=lake', name: 'Lakes' });
    expect(added.text).toContain('Added to “Lakes”.');
    const { generationCollections } = studio().gateway.collections;
    const lakes = await generationCollections.findOne({ accountId });
    const page = await owner.get(`/history?in=${lakes?._id}`);
    const download = /href="(\/history\/files\.zip[^"]*)"/.exec(page.text)?.[1] ?? '';
    const archive = await owner.get(download.replaceAll('&amp;', '&'));
    expect(archive.text.match(/picture [01]/g)).toHaveLength(2);
    expect(archive.text).toContain('1-a-lake-1.jpg');
  });

  test('is not deleted beyond the generations shown on the confirmation page', async () => {
    const asked = await owner.get(`/history/delete?${list('q=boat')}`);
    expect(asked.text).toContain('Delete these 22 generations?');
    await Promise.all(Array.from({ length: 40 }, () => addOwn({ prompt: 'many' })));
    const refused = await owner.get(`/history/delete?${list('')}`);
    expect(refused.text).toContain('Up to 60 can be deleted at a time');
  });

  test('that is too large for an archive is refused with its size', async () => {
    const [one] = (await generations().find({ accountId, prompt: 'a lake' }).toArray()) as {
      outputs: { bytes: number }[];
    }[];
    const outputs = one?.outputs.map((each) => ({ ...each, bytes: 3_000_000_000 }));
    await plain(generations()).updateMany({ accountId, prompt: 'a lake' }, { $set: { outputs } });
    const refused = await owner.get(`/history/files.zip?${list('q=lake')}`);
    expect(refused.path).toBe('/history');
    expect(refused.text).toContain(
      'You selected 2 files (6 GB). An archive can have up to 2,000 files and 4 GB',
    );
  });
});

test('addresses to return to stay on the site', async () => {
  const id = await add();
  await visitor.get('/history');
  for (const back of ['https://evil.example/', '//evil.example', '/sign-out', '/history#x']) {
    const { path } = await visitor.post('/history/favourites?to=yes', { id, back });
    expect(path).toBe('/history');
  }
});

test('the same seed goes into the studio, and another one by default', async () => {
  const parameters = {
    n: 1,
    resolution: '1k',
    aspect_ratio: '16:9',
    output_format: 'jpeg',
    seed: 77,
  };
  const id = await add({ parameters: parameters as never });
  expect((await visitor.get(`/generations/${id}`)).text).toContain('Same seed');
  const seedIn = async (query: string) =>
    (await visitor.get(`/studio?like=${id}${query}`)).field('parameters.seed');
  expect([await seedIn('&seed=same'), await seedIn('')]).toEqual(['77', '']);
});
