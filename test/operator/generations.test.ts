import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { runAdminHere } from '../support/runAdminHere.ts';
import { until } from '../support/until.ts';
import { errorOf, type OperatorWorld, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();
/** A gateway that also works on its accepted generations. */
const { world: working } = useOperatorWorld({ ROLE: 'all' });

const video = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A boat.' };
const image = { model: 'image-b-2', prompt: 'A cup.' };

async function customerOf(inWorld: OperatorWorld, credits = 1_000) {
  const accountId = await inWorld.addCustomer();
  const path = `/accounts/${accountId}`;
  await inWorld.operator.post(`${path}/credits/grants`, { amount: credits, kind: 'purchased' });
  const available = async () =>
    (await inWorld.operator.get(`${path}/credits`)).json['available'] as number;
  return { accountId, path, available };
}

describe('a create for a customer', () => {
  test('costs the quoted price, belongs to the channel pc, and has one audit entry', async () => {
    const { path, available } = await customerOf(world);
    const { model, ...quote } = (
      await operator.post(`${path}/quotes`, { model: video.model }, null)
    ).json;
    expect([model, quote['unit']]).toEqual([video.model, 'credits']);
    const created = await operator.post(`${path}/videos`, video);
    expect(created.status).toBe(202);
    expect(created.json).toMatchObject({
      object: 'generation',
      status: 'queued',
      channel: 'pc',
      key_id: null,
      made_by: null,
      mode: 'text-to-video',
      prompt: 'A boat.',
      billing: { cost_credits: quote['cost_credits'] },
    });
    expect(await available()).toBe(1_000 - Number(quote['cost_credits']));
    const read = await operator.get(`/generations/${String(created.json['id'])}`);
    expect(read.json).toMatchObject({ id: created.json['id'], account_id: path.split('/')[2] });
    const { generations } = world.gateway.collections;
    const _id = String(created.json['id']);
    await generations.updateOne({ _id }, { $set: { madeBy: 'acct_member' } });
    const listed = (await operator.get(`${path}/generations`)).json['data'];
    expect(listed).toMatchObject([{ id: _id, made_by: 'acct_member' }]);
    const { staffAudit } = world.gateway.models;
    const found = await staffAudit.find({ terms: String(created.json['id']) }).lean();
    expect(found).toMatchObject([{ action: 'api createVideo' }]);
  });

  test('is charged once per Idempotency-Key, even for concurrent requests', async () => {
    const { path, available } = await customerOf(world);
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => operator.post(`${path}/images`, image, key)),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await available()).toBe(1_000 - 6);
    const other = await operator.post(`${path}/images`, { ...image, prompt: 'Another.' }, key);
    expect(errorOf(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test("is independent of the customer's own create under the same Idempotency-Key", async () => {
    const account = await world.gateway.addAccount();
    const own = await account.post('/v1/images', image, { 'idempotency-key': 'one' });
    const path = `/accounts/${account.accountId}/images`;
    const made = await operator.post(path, image, 'one');
    expect(made.status).toBe(202);
    expect(made.json['id']).not.toBe(own.json['id']);
    expect((await account.get(`/v1/generations/${String(made.json['id'])}`)).status).toBe(200);
  });

  test('is refused by the rules of the public API, and stores nothing', async () => {
    const { path, available } = await customerOf(world, 5);
    const tooDear = await operator.post(`${path}/videos`, video, 'again');
    expect(errorOf(tooDear)).toMatchObject({ status: 402, code: 'insufficient_credits' });
    const wrong = await operator.post(`${path}/videos`, { ...video, mode: 'nothing' });
    expect(errorOf(wrong)).toMatchObject({ status: 400, param: 'mode' });
    const unknown = await operator.post(`${path}/videos`, { ...video, model: 'alpha-9' });
    expect(errorOf(unknown)).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(await available()).toBe(5);
    await operator.post(`${path}/credits/grants`, { amount: 500, kind: 'purchased' });
    expect((await operator.post(`${path}/videos`, video, 'again')).status).toBe(202);
  });
});

describe('the list of generations', () => {
  test('has both channels, newest first, page by page and filtered', async () => {
    const account = await world.gateway.addAccount();
    const path = `/accounts/${account.accountId}`;
    const ids: unknown[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.unshift((await account.post('/v1/images', image)).json['id']);
      ids.unshift((await operator.post(`${path}/images`, image)).json['id']);
    }
    const seen: unknown[] = [];
    let next: string | null = null;
    do {
      const after: string = next === null ? '' : `&after=${next}`;
      const { json } = await operator.get(`${path}/generations?limit=4${after}`);
      seen.push(...(json['data'] as { id: string }[]).map(({ id }) => id));
      next = json['next'] as string | null;
    } while (next !== null);
    expect(seen).toEqual(ids);
    const idsOf = async (query: string) =>
      ((await operator.get(`${path}/generations?${query}`)).json['data'] as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(await idsOf('channel=pc')).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect(await idsOf(`key_id=${account.keyId}`)).toHaveLength(3);
    expect(await idsOf('status=completed')).toEqual([]);
    expect(await idsOf('until=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await idsOf('from=2020-01-01T00:00:00Z&model=image-b-2')).toEqual(ids);
  });

  test.each([
    ['status=lost', 'invalid_request', 'status'],
    ['model=alpha-9', 'invalid_request', 'model'],
    ['from=yesterday', 'invalid_request', 'from'],
    ['from=2020-13-01T00:00:00Z', 'invalid_request', 'from'],
    ['after=x', 'cursor_invalid', 'after'],
  ])('refuses %s', async (query, code, param) => {
    const { path } = await customerOf(world);
    const refused = errorOf(await operator.get(`${path}/generations?${query}`));
    expect(refused).toMatchObject({ status: 400, code, param });
  });
});

describe('failing a generation', () => {
  test('refunds it once, and refuses an ended one', async () => {
    const { path, available } = await customerOf(world);
    const { json } = await operator.post(`${path}/videos`, video);
    const fail = (key?: string) =>
      operator.post(`/generations/${String(json['id'])}/fail`, { reason: 'dispute' }, key);
    const failed = await fail('once');
    expect(failed.status).toBe(200);
    expect(failed.json).toMatchObject({
      id: json['id'],
      status: 'failed',
      billing: { status: 'refunded' },
      error: { code: 'generation_failed' },
    });
    expect(await available()).toBe(1_000);
    const again = await fail('once');
    expect(again.text).toBe(failed.text);
    expect(errorOf(await fail())).toMatchObject({ status: 409, code: 'generation_ended' });
    const { staffAudit } = world.gateway.models;
    const found = await staffAudit.find({ terms: String(json['id']) }).lean();
    expect(found.map(({ action, reason }) => `${action}: ${reason}`).toSorted()).toEqual([
      'api createVideo: ',
      'api failGeneration: dispute',
    ]);
  });

  test('reports that a worker is busy with it', async () => {
    const { accountId, path } = await customerOf(world);
    const { json } = await operator.post(`${path}/videos`, video);
    const id = String(json['id']);
    await world.gateway.database.generations.acquireLease({ id, accountId }, minuteMs);
    const busy = errorOf(await operator.post(`/generations/${id}/fail`, { reason: 'x' }));
    expect(busy).toMatchObject({ status: 409, code: 'generation_busy' });
  });

  test('needs a reason and a generation', async () => {
    const nobody = await operator.post('/generations/gen_1/fail', { reason: 'x' });
    expect(errorOf(nobody)).toMatchObject({ status: 404, code: 'generation_not_found' });
    const silent = await operator.post('/generations/gen_1/fail', {});
    expect(errorOf(silent)).toMatchObject({ status: 400, param: 'reason' });
  });
});

test('a command shows a generation without its prompt', async () => {
  const { path } = await customerOf(world);
  const { json } = await operator.post(`${path}/videos`, video);
  const shown = await runAdminHere(['generation', 'show', '--generation', String(json['id'])], {
    MONGODB_URI: world.gateway.env['MONGODB_URI'] ?? '',
    DATA_DIR: world.gateway.dataDir,
  });
  expect(JSON.parse(shown.stdout)).toMatchObject({
    generation_id: json['id'],
    account_id: json['account_id'],
    channel: 'pc',
    status: 'queued',
    attempts: [],
    timeline: [{ what: 'accepted' }],
  });
  expect(shown.stdout).not.toContain(video.prompt);
});

test('a completed generation is taken down once, permanently', async () => {
  const { path } = await customerOf(working);
  const { operator: client } = working;
  const { json } = await client.post(`${path}/images`, image);
  const read = () => client.get(`/generations/${String(json['id'])}`);
  await until(async () => (await read()).json['status'] === 'completed');
  const [url = ''] = ((await read()).json['output'] as { urls: string[] }).urls;
  expect((await fetch(url)).status).toBe(200);
  const takeDown = () =>
    client.post(`/generations/${String(json['id'])}/take-down`, { reason: 'court order' });
  const taken = await takeDown();
  // With its text, so that a failure shows the reason.
  expect([taken.status, taken.text]).toEqual([200, expect.any(String)]);
  expect(taken.json['output']).toMatchObject({ urls: [] });
  expect((await fetch(url)).status).toBe(410);
  expect((await takeDown()).json['output']).toMatchObject({ urls: [] });
  const { staffAudit } = working.gateway.models;
  const found = await staffAudit.find({ terms: String(json['id']) }).lean();
  expect(found.map(({ action, reason }) => `${action}: ${reason}`).toSorted()).toEqual([
    'api createImage: ',
    'api takeDownGeneration: court order',
  ]);
});
