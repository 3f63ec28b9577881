import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SeenRequest } from './support/fakeApi.mts';
import responses from './support/responses.json' with { type: 'json' };
import { useFakeApi, video } from './support/useFakeApi.mts';

/* One create has one key, and a paid generation can be found. */

const world = useFakeApi();
const isCreate = ({ what }: SeenRequest) => what.startsWith('POST ');
const creates = () => world.api.seen.filter(isCreate);
const page = { status: 200, body: '<html>Down for maintenance</html>' };

describe('one create has one key', () => {
  test('a repeat in the same execution asks for the same generation, as Retry On Fail does', async () => {
    const [first] = await world.run(video());
    const [again] = await world.run(video());
    assert.equal(again?.json['id'], first?.json['id']);
    assert.equal(new Set(creates().map(({ idempotencyKey }) => idempotencyKey)).size, 1);
    assert.equal(world.api.made.length, 1);
  });

  test('another item, run or execution makes its own', async () => {
    await world.run([video(), video()]);
    await world.run(video(), { runIndex: 1 });
    await world.run(video(), { executionId: 'execution-2' });
    assert.equal(world.api.made.length, 4);
  });

  test('a create whose response was lost is sent again with its key', async () => {
    world.api.disturb({ what: 'POST', status: 502, body: 'Bad gateway' });
    const [item] = await world.run(video());
    assert.equal(creates().length, 2);
    assert.deepEqual(world.api.made, [item?.json['id']]);
  });

  test('Maximum Credits refuses a higher price before anything is created', async () => {
    const dear = video({ options: { maxCredits: 1 } });
    await assert.rejects(world.run(dear), /more than the maximum/);
    assert.deepEqual(creates(), []);
  });
});

describe('what is paid can be found', () => {
  test('a page in place of a response is waited out', async () => {
    world.api.disturb({ what: 'POST', ...page });
    world.api.disturb({ what: 'GET /generations', ...page });
    const [item] = await world.run(video());
    assert.equal(item?.json['status'], 'completed');
    assert.deepEqual(world.api.made, [item.json['id']]);
  });

  test('an item that failed after its creation names the generation', async () => {
    world.api.failing = true;
    const [item] = await world.run(video(), { continueOnFail: true });
    assert.partialDeepStrictEqual(item?.json['details'], {
      generation_id: world.api.made[0],
      code: 'input_unreachable',
      refunded_credits: 70,
    });
  });

  test('an item that was refused names no generation', async () => {
    world.api.disturb({ what: 'POST', status: 402, body: responses.insufficient_credits });
    const [item] = await world.run(video(), { continueOnFail: true });
    const details = item?.json['details'] as Record<string, unknown>;
    assert.equal(details['code'], 'insufficient_credits');
    assert.equal('generation_id' in details, false);
  });
});

test('a stop ends the waiting, and nothing is asked afterwards', async () => {
  const stop = new AbortController();
  const meanwhile = () => stop.abort();
  world.api.disturb({ what: 'GET /generations', ...page, meanwhile });
  await assert.rejects(world.run(video(), { signal: stop.signal }));
  assert.deepEqual(
    world.api.seen.map(({ what }) => what),
    ['POST /videos', `GET /generations/${world.api.made[0]}`],
  );
});
