import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Field, loadCredential, loadNode } from './support/builtNode.mts';
import { videoBytes } from './support/fakeApi.mts';
import { located, useFakeApi, video } from './support/useFakeApi.mts';

/* Every operation of the panel, and where the key goes. */

const world = useFakeApi();
const image = { ...video(), resource: 'image', model: located('image-a-2') };
const generation = (operation: string) => ({
  resource: 'generation',
  operation,
  generationId: located(world.api.made[0]),
});

/** Parameters of each operation, and the mark of its response. */
const operations: Record<string, [params: () => Record<string, unknown>, told: object]> = {
  'account:getBalance': [() => ({}), { object: 'credit_balance', available: 930 }],
  'generation:get': [() => generation('get'), { status: 'processing' }],
  'generation:wait': [() => generation('wait'), { status: 'completed' }],
  'image:create': [() => image, { type: 'image', status: 'completed' }],
  'image:estimatePrice': [() => image, { cost_credits: 8 }],
  'model:getAll': [() => ({ returnAll: true }), { id: 'alpha-2.5', type: 'video' }],
  'video:create': [() => video(), { type: 'video', status: 'completed' }],
  'video:estimatePrice': [() => video(), { cost_credits: 80 }],
};

const fields = loadNode().description.properties;
const values = ({ options = [] }: Field) => options.map(({ value }) => String(value));

test('every operation of the panel is tested here', () => {
  const offered = fields
    .filter(({ name }) => name === 'operation')
    .flatMap((field) =>
      values(field).map((value) => `${String(field.displayOptions?.show?.['resource'])}:${value}`),
    );
  assert.deepEqual(offered.sort(), Object.keys(operations));
});

describe('runs, and says which item a response belongs to', () => {
  for (const [name, [params, mark]] of Object.entries(operations)) {
    test(name, async () => {
      await world.run(video({ wait: false }));
      const [resource, operation] = name.split(':');
      const [item] = await world.run({ ...params(), resource, operation });
      assert.partialDeepStrictEqual(item?.json, mark);
      assert.deepEqual(item?.pairedItem, { item: 0 });
    });
  }
});

describe('the key', () => {
  test('is sent to the base URL, and not with downloads', async () => {
    const [item] = await world.run(video({ download: true }));
    const { data } = item?.binary ?? {};
    assert.equal(data?.mimeType, 'video/mp4');
    assert.deepEqual(Buffer.from(data.data, 'base64'), videoBytes);
    const isFile = (what: string) => what.startsWith('GET /files/');
    assert.deepEqual(
      world.api.seen.filter(({ authorization, what }) => !authorization !== isFile(what)),
      [],
    );
  });

  test('is tested without spending anything, and never sent in the clear to a public host', async () => {
    const credential = loadCredential();
    assert.equal(credential.test.request.url, '/credits/balance');
    const signed = await credential.authenticate(world.api, { url: '', headers: {} });
    assert.deepEqual(signed.headers, { Authorization: `Bearer ${world.api.apiKey}` });
    const open = { ...world.api, baseUrl: 'http://media.example.com/v1' };
    await assert.rejects(credential.authenticate(open, { url: '', headers: {} }), RangeError);
  });
});
