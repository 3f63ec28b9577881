import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TestAccount } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { type FlowNode, flowOf, installNodes, type NodeRed, prepareNodeRed } from './nodeRed.ts';

/* The nodes as they are packed, in a real Node-RED, against a real gateway. */

const parameters = '{"duration_seconds": 4, "resolution": "480p"}';
/** The price of a video with these parameters. */
const credits = 20;
const video = { type: 'framegate-video', model: 'alpha-2.0-fast', mode: 'text-to-video' };
const nodes: FlowNode[] = [
  { id: 'video', ...video, parameters, wait: true },
  { id: 'order', ...video, parameters, wait: false, maxCredits: '19' },
  { id: 'image', type: 'framegate-image', model: 'image-b-2', wait: true },
  { id: 'wait', type: 'framegate-wait' },
  { id: 'find', type: 'framegate-find' },
  { id: 'download', type: 'framegate-download' },
  { id: 'balance', type: 'framegate-balance' },
];

let world: ClientWorld;
let account: TestAccount;
let red: NodeRed;
const flow = () => flowOf(world.folder, world.baseUrl, account.apiKey, nodes);
const keys = () => world.creates().map(({ headers }) => headers['idempotency-key']);

beforeAll(async () => {
  world = await startClientWorld();
  await installNodes(world.folder);
  account = await world.addAccount({ credits: 1_000 });
  red = await prepareNodeRed(world.folder);
  await red.start();
  await red.deploy(flow());
});
afterAll(async () => {
  await red.stop();
  await world.stop();
});
beforeEach(() => {
  world.line.reset();
  world.ark.reset();
});

/** The next message or error that the flow emits during an action. */
async function next(act: () => Promise<unknown>) {
  const { length } = await red.heard();
  await act();
  await until(async () => (await red.heard()).length > length, 'a message comes out', 30_000);
  return (await red.heard())[length] ?? { payload: {} };
}
const play = (id: string, message: object) => next(() => red.send(id, message));

test('a prompt becomes a video; its id leads to the record, the end and the file', async () => {
  const made = await play('video', { payload: 'A paper boat', topic: 'boats' });
  expect(made).toMatchObject({ topic: 'boats', payload: { type: 'video', status: 'completed' } });
  const generationId = String(made['generationId']);
  const filename = join(world.folder, 'boat.mp4');
  const told = [
    await play('find', { payload: generationId }),
    await play('wait', { payload: made.payload }),
    await play('download', { generationId, filename }),
  ];
  expect(told.map(({ payload, error }) => [payload['id'], error])).toEqual(
    told.map(() => [generationId, undefined]),
  );
  expect((await readFile(filename)).subarray(4, 8).toString()).toBe('ftyp');
});

test('images come in separate files, and the balance is read', async () => {
  const payload = { prompt: 'A fern', parameters: { n: 2 } };
  const { generationId } = await play('image', { payload });
  const filename = join(world.folder, 'fern.png');
  const { filenames } = await play('download', { generationId, filename });
  expect(filenames).toEqual([filename, join(world.folder, 'fern-2.png')]);
  const files = await Promise.all((filenames as string[]).map((each) => readFile(each)));
  for (const file of files) expect(file.subarray(1, 4).toString()).toBe('PNG');
  const { payload: balance } = await play('balance', {});
  expect(balance).toMatchObject({ available: await world.available(account) });
});

test('the key is in the credentials of Node-RED, neither in the flow nor in the log', async () => {
  for (const text of [await readFile(join(world.folder, 'flows.json'), 'utf8'), red.log()]) {
    expect(text).not.toContain(account.apiKey);
  }
  expect(red.log()).not.toContain('not kept on disk');
});

test('a flow killed during a create and started again makes one generation, paid once', async () => {
  const before = await world.generationsOf(account);
  const kill = () => red.stop('SIGKILL');
  const lost = { method: 'POST', path: '/videos', forwarded: true, cut: true };
  world.line.disturb({ ...lost, meanwhile: kill });
  const spent = await world.spentBy(account, async () => {
    await red.send('video', { payload: 'A lost response', topic: 'lost' });
    await until(() => keys().length > 0);
    await kill();
    const { topic, payload } = await next(() => red.start());
    expect([topic, payload['status']]).toEqual(['lost', 'completed']);
  });
  expect(spent).toBe(credits);
  expect(await world.generationsOf(account)).toBe(before + 1);
  expect([keys().length, new Set(keys()).size]).toEqual([2, 1]);
});

test('a flow stopped and deployed during a wait continues by the id', async () => {
  world.ark.setHeld(true);
  await red.send('video', { payload: 'A long wait' });
  const polls = () => world.line.seen.filter(({ method }) => method === 'GET').length;
  await until(() => polls() > 0);
  await red.stop();
  await red.start();
  await red.deploy(flow());
  const { payload } = await next(async () => world.ark.setHeld(false));
  expect(payload['status']).toBe('completed');
  expect(keys()).toHaveLength(1);
});

test('an order is never paid twice under its own key', async () => {
  const message = { payload: 'An order', idempotencyKey: 'order-7', maxCredits: credits };
  const ids: unknown[] = [];
  const spent = await world.spentBy(account, async () => {
    for (const each of [message, message]) ids.push((await play('order', each))['generationId']);
  });
  expect([spent, new Set(ids).size, keys()]).toEqual([credits, 1, ['order-7', 'order-7']]);
});

test('errors reach the catch node, with the remedy in Node-RED', async () => {
  const dear = await play('order', { payload: 'Too dear' });
  expect(dear).toMatchObject({ errorCode: 'price_above_limit', idempotencyKey: expect.anything() });
  expect(dear.error?.message).toContain('Open this node and raise Maximum credits');
  const none = await play('wait', { payload: 'no id' });
  expect(none.error?.message).toContain('Set msg.generationId');
  expect(world.creates()).toEqual([]);
  world.ark.script({ on: 'task', prompt: 'A failure', plan: { polls: 1, end: 'failed' } });
  const failed = await play('video', { payload: 'A failure' });
  expect(failed['generationId']).toMatch(/^gen_/);
  expect(failed).not.toHaveProperty('idempotencyKey');
  expect(failed.error?.message).toContain(`${credits} credits were refunded`);
});
