import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  mp4OfUnknownCodecs,
  slowSound,
  webmOfClusters,
} from '../../gateway/media/test/hostileFiles.ts';
import { type InputHost, startInputHost } from '../faults/inputHost.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/*
 * The attack: files that are expensive for the input parser, or crash it, so that it has no time for others' files or
 * is retried for hours.
 */

let folder = '';
let ark: FakeArk;
let inputs: InputHost;
let gateway: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-hostile-'));
  [ark, inputs] = [await startFakeArk(), await startInputHost(folder)];
  gateway = await startTestGateway({ ...inputs.env, ...(await arkRoutes(folder, ark)) });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([ark.close(), inputs.close()]);
  await rm(folder, { recursive: true });
}, 120_000);

const newAccount = () => gateway.addAccount({ credits: 10_000, hosts: [inputs.host] });
const reference = (type: string, url: string) => ({ type, url, role: 'reference' });
const picture = (name: string) => reference('image', inputs.url(name, 'steady'));

async function create(account: TestAccount, given: unknown[]): Promise<string> {
  const body = video({ model: 'alpha-2.0-pro', mode: 'multimodal-to-video', inputs: given });
  const { status, json, text } = await account.post('/v1/videos', body);
  if (status !== 202) throw new Error(text);
  return String(json['id']);
}

test.each([
  ['3,000 codecs that are unknown', () => mp4OfUnknownCodecs(3_000)],
  ['40 codecs that are unknown', () => mp4OfUnknownCodecs(40)],
  ['6,000 clusters', () => webmOfClusters(6_000)],
])('a file of %s is immediately invalid, and is not fetched again', async (what, make) => {
  const account = await newAccount();
  const name = what.replaceAll(/\W/g, '-');
  const hostile = reference('video', inputs.serve(name, make()));
  const id = await create(account, [picture('a'), hostile]);
  const ended = await account.untilEnded(id);
  expect(ended).toMatchObject({
    error: { code: 'input_invalid', param: 'inputs[1].url' },
    billing: { status: 'refunded' },
  });
  expect(inputs.fetches(name)).toBe(1);
  expect(gateway.errors).toEqual([]);
});

test('ten creates with slow files do not hold up the inputs and results of another account', async () => {
  const [attacker, bystander] = [await newAccount(), await newAccount()];
  const slow = reference('audio', inputs.serve('slow.aac', slowSound()));
  const attacks: string[] = [];
  for (let creates = 0; creates < 10; creates += 1) {
    attacks.push(await create(attacker, [picture('b'), slow, slow, slow]));
  }
  await until(() => inputs.fetches('slow.aac') > 0, 'the attack has begun');
  for (let results = 0; results < 2; results += 1) {
    const ended = await bystander.untilEnded(await create(bystander, [picture('c')]));
    expect(ended).toMatchObject({ status: 'completed' });
  }
  // The rest of the attack waits behind its first few files.
  const open = await gateway.collections.generations.countDocuments({
    _id: { $in: attacks },
    open: true,
  });
  expect(open).toBeGreaterThanOrEqual(3);
}, 240_000);
