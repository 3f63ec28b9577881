import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs, minuteMs } from '@framegate/contract';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { tidyGenerations } from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { deliverRefused } from '../../gateway/src/application/staff/deliverRefused.ts';
import { parseFlags } from '../../gateway/src/commands/flags.ts';
import { resultCommands } from '../../gateway/src/commands/resultCommands.ts';
import { mediaPurposes } from '../../gateway/src/domain/generations/mediaUrl.ts';
import type { AccountOptions, TestAccount } from '../support/gateway.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { type Browser, enrolStaff, openBrowser, type Page } from './browse.ts';
import { openStaff } from './openStaff.ts';
import { createVideo, untilErased } from './staffFixtures.ts';
import { balance } from './staffWorld.ts';

const running = useArkGateway({ env: { POSTERS: 'all' } });
let { ark, gateway } = {} as ArkGateway;
let support: Browser;
let staff: App;
beforeAll(async () => {
  ({ ark, gateway } = running());
  support = (await enrolStaff(gateway, 'support')).browser;
  ({ staff } = await openStaff(gateway));
});

const database = () => gateway;
const find = (id: string) => database().database.generations.find(id);
const page = (id: string) => support.get(`/staff/generations/${id}`);
const alertOf = ({ html }: Page) => /role="alert">([^<]*)/.exec(html)?.[1]?.trim() ?? '';

/** A video refused because its provider made it far too small. */
async function refused(name: string, options?: AccountOptions) {
  const account = await gateway.addAccount(options);
  const film = { width: 64, height: 36 };
  ark.script({ prompt: name, on: 'task', plan: { polls: 0, end: 'succeeded', film } });
  const id = await createVideo(account, name);
  expect(await account.untilEnded(id)).toMatchObject({ status: 'failed' });
  // A good result in between, without which sales of the wrong deliveries would stop.
  const other = await gateway.addAccount();
  await other.untilEnded(await createVideo(other, 'as ordered'));
  return { account, id };
}

/** Sends the form of "Deliver anyway". */
async function deliver(id: string, fields: Record<string, string> = {}): Promise<Page> {
  const path = `/staff/generations/${id}/deliver-anyway`;
  await support.get(path);
  return support.send(path, { reason: 'the customer likes it', charge: 'no', ...fields });
}

/** The id under which a refused result was delivered, from the audit log on its page. */
async function deliveryOf(id: string): Promise<string> {
  const { html } = await page(id);
  return /Delivered as (gen_[0-9a-z]{26})/.exec(html)?.[1] ?? '';
}

async function problems(): Promise<unknown[]> {
  const { client, collections } = database();
  return (await verifyLedger({ ledgerAudit: createLedgerAudit(client, collections) })).problems;
}

/** Runs upkeep with a clock this many ms ahead. */
const tidy = (laterMs: number) => {
  const clock = { ...staff.clock, now: () => staff.clock.now() + laterMs };
  return tidyGenerations({ ...staff, clock }, new AbortController().signal);
};

const isStored = async (id: string) => {
  const names = ['1_0.raw', '1_0_320.webp', '1_0_960.webp'];
  const found = await Promise.all(names.map((n) => staff.media.stat(`arrived/${id}/${n}`)));
  return found.some((file) => file !== null);
};

describe('a result that differs from its order', () => {
  let account: TestAccount;
  let id: string;
  beforeAll(async () => {
    ({ account, id } = await refused('kept for staff'));
  });

  test('is kept for a day, with its figures, and then removed', async () => {
    const found = await find(id);
    const [attempt] = found?.attempts ?? [];
    expect(attempt?.refused?.until).toBe((attempt?.refused?.at ?? 0) + dayMs);
    expect(attempt?.refused?.files).toMatchObject([
      {
        key: `arrived/${id}/1_0.raw`,
        bytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        head: expect.stringMatching(/^0000.{4}66747970[0-9a-f]{112}$/),
        width: 64,
        height: 36,
      },
    ]);
    await tidy(dayMs - minuteMs);
    expect(await isStored(id)).toBe(true);
  });

  test('is served by no address', async () => {
    const signed = mediaPurposes.map((purpose) => `/media/${purpose}/../arrived/${id}/1_0.raw`);
    for (const path of [`/media/arrived/${id}/1_0.raw`, `/arrived/${id}/1_0.raw`, ...signed]) {
      const { status } = await fetch(gateway.origin + path);
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
    }
  });

  test('is shown and downloaded for a reason, which the audit log keeps', async () => {
    const { html } = await page(id);
    expect(html).toContain('Rejected result');
    expect(html).toContain('64x36');
    expect(html).not.toContain('66747970');
    const path = `/staff/generations/${id}/refused`;
    expect(await support.send(path, { reason: '' })).toMatchObject({ status: 409 });
    const seen = await support.send(path, { reason: 'a complaint' });
    expect(seen.html).toContain('66747970');
    expect(seen.html).toContain('src="data:image/webp;base64,');
    expect(seen.headers.get('content-security-policy')).toMatch(/img-src 'self'[^;]* data:/);
    const token = /name="form_token" value="([^"]+)"/.exec(seen.html)?.[1] ?? '';
    const body = new URLSearchParams({ form_token: token, reason: 'to look at it' });
    const file = await support.fetch(`${path}/0`, { method: 'POST', body });
    const bytes = Buffer.from(await file.arrayBuffer());
    const kept = (await find(id))?.attempts[0]?.refused?.files[0];
    expect([bytes.length, bytes.subarray(0, 64).toString('hex')]).toEqual([
      kept?.bytes,
      kept?.head,
    ]);
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    const after = await page(id);
    for (const reason of ['a complaint', 'to look at it']) expect(after.html).toContain(reason);
    const stranger = openBrowser(gateway.origin);
    await stranger.get('/staff/sign-in');
    for (const each of [path, `${path}/0`, `/staff/generations/${id}/deliver-anyway`]) {
      expect((await stranger.send(each, { reason: 'curious' })).status).toBe(401);
    }
  });

  test('is delivered without charge as a new generation, once', async () => {
    const before = await balance(account);
    const [first, second] = await Promise.all([deliver(id), deliver(id)]);
    expect([first.status, second.status].toSorted()).toEqual([303, 409]);
    const delivery = await deliveryOf(id);
    const record = await account.untilEnded(delivery);
    expect(record).toMatchObject({
      status: 'completed',
      billing: { cost_credits: 0, status: 'charged' },
      output: { video_url: expect.any(String) },
    });
    const { video_url: url } = record['output'] as { video_url: string };
    const file = await fetch(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(await balance(account)).toBe(before);
    expect((await account.get(`/v1/generations/${id}`)).json).toMatchObject({ status: 'failed' });
    expect(await find(delivery)).toMatchObject({ replaces: id });
    expect(alertOf(await deliver(id))).toBe(`These files were already delivered, as ${delivery}.`);
    expect(await problems()).toEqual([]);
  });

  test('is gone from the store after its day', async () => {
    await tidy(dayMs + minuteMs);
    expect(await isStored(id)).toBe(false);
  });
});

test('a delivery for credits is an ordinary charge, and too few credits change nothing', async () => {
  const { account, id } = await refused('for credits', { credits: 100 });
  const few = await deliver(id, { charge: 'yes', credits: '101' });
  expect(alertOf(few)).toBe('The account has 100 credits, not 101: nothing was done.');
  expect([await balance(account), await deliveryOf(id)]).toEqual([100, '']);
  expect(alertOf(await deliver(id, { credits: '30' }))).toContain('leave the number empty');
  expect((await deliver(id, { charge: 'yes', credits: '30' })).status).toBe(303);
  const delivery = await deliveryOf(id);
  expect(await account.untilEnded(delivery)).toMatchObject({
    status: 'completed',
    billing: { cost_credits: 30, status: 'charged' },
  });
  expect(await balance(account)).toBe(70);
  expect(await problems()).toEqual([]);

  const { generations } = database().collections;
  await generations.updateOne({ _id: delivery }, { $set: { costCredits: 0 } });
  expect(await problems()).toMatchObject([{ problem: 'has 1 charges instead of none' }]);
  await generations.updateOne({ _id: delivery }, { $set: { costCredits: 30 } });
});

test.each(['handOver.beforeTransaction', 'handOver.afterTransaction'] as const)(
  'a process that dies at %s delivers and charges at most once',
  async (point: FaultPoint) => {
    const { account, id } = await refused(`dies at ${point}`, { credits: 100 });
    const order = { generationId: id, credits: 10, by: 'staff', requestId: 'req_1' };
    const reachFaultPoint = (reached: FaultPoint) => {
      if (reached === point) throw new Error('killed');
    };
    await expect(deliverRefused({ ...staff, reachFaultPoint }, order)).rejects.toThrow('killed');
    const again = await deliverRefused(staff, order).catch((error: unknown) =>
      JSON.stringify(error),
    );
    const found = await database().collections.generations.find({ replaces: id }).toArray();
    expect(found).toHaveLength(1);
    const [delivery] = found;
    expect(again).toContain(delivery?._id);
    expect(await account.untilEnded(delivery?._id ?? '')).toMatchObject({ status: 'completed' });
    expect(await balance(account)).toBe(90);
    expect(await problems()).toEqual([]);
  },
);

test('operators see and deliver it on the command line', async () => {
  const { account, id } = await refused('by command', { credits: 100 });
  const run = (name: string, values: Record<string, string>) =>
    resultCommands[name]?.prepare(parseFlags(values))(staff as never);
  expect(await run('generation refused', { generation: id })).toMatchObject({
    reason: 'not_as_ordered',
    files: [{ key: `arrived/${id}/1_0.raw`, width: 64, problem: null }],
    delivered_as: null,
  });
  expect(() => run('generation deliver', { generation: id, credits: '5' })).toThrow('--reason');
  const order = { generation: id, credits: '5', reason: 'agreed by mail' };
  const made = await run('generation deliver', order);
  const delivery = String(made?.['delivered_as']);
  expect(await account.untilEnded(delivery)).toMatchObject({ status: 'completed' });
  expect(await balance(account)).toBe(95);
  await expect(run('generation deliver', order)).rejects.toMatchObject({
    code: 'delivered_already',
  });
});

describe('each reason against a delivery has its sentence', () => {
  test('files that cannot be read are for staff alone', async () => {
    const { id } = await refused('unreadable');
    await database().collections.generations.updateOne(
      { _id: id },
      { $set: { 'attempts.0.refused.files.0.problem': 'not a video' } },
    );
    const { html } = await page(id);
    expect(html).not.toContain('/deliver-anyway');
    expect(html).toContain('not a video');
    expect(alertOf(await deliver(id))).toContain('only be downloaded here');
  });

  test('after its day, and after its files are lost', async () => {
    const { account, id } = await refused('too late', { credits: 100 });
    await staff.media.delete(`arrived/${id}/1_0.raw`);
    expect((await deliver(id, { charge: 'yes', credits: '40' })).status).toBe(303);
    expect(await account.untilEnded(await deliveryOf(id))).toMatchObject({ status: 'failed' });
    expect(await balance(account)).toBe(100);
    await database().collections.generations.updateOne(
      { _id: id },
      { $set: { 'attempts.0.refused.until': new Date(0) } },
    );
    expect((await page(id)).html).toMatch(/kept until .* and\s+have\s+been\s+removed/s);
    expect(alertOf(await deliver(id))).toBe('The result&#39;s files have been removed.');
    expect(await problems()).toEqual([]);
  });

  test('after the account was erased, which removes the files', async () => {
    const { account, id } = await refused('erased');
    await eraseAccount(staff, account.accountId);
    await untilErased(staff, account.accountId);
    expect(await isStored(id)).toBe(false);
    expect((await find(id))?.attempts[0]?.refused?.files).toEqual([]);
    expect(alertOf(await deliver(id))).toBe('The result&#39;s files have been removed.');
    expect(await problems()).toEqual([]);
  });
});
