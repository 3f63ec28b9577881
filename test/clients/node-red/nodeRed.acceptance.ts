import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import type { TestAccount } from '../../support/gateway.ts';
import { startClientWorld, type ClientWorld } from '../support/clientWorld.ts';
import { installNodes, startNodeRed, type FlowNode, type NodeRed } from './nodeRed.ts';

/* The nodes as they are packed, in a real Node-RED, against a real gateway. */

let world: ClientWorld;
let account: TestAccount;
let red: NodeRed;
beforeAll(async () => {
  world = await startClientWorld();
  await installNodes(world.folder);
  account = await world.addAccount({ credits: 1_000 });
  red = await startNodeRed(world, account.apiKey, nodes);
});
afterAll(async () => {
  await red.stop();
  await world.stop();
});
beforeEach(async () => {
  world.line.reset();
  world.ark.reset();
  for (const name of ['results', 'errors']) {
    await rm(join(world.folder, `${name}.jsonl`), { force: true });
  }
});

const video = { type: 'framegate-video', model: 'alpha-2.0-fast', mode: 'text-to-video' };
const nodes: FlowNode[] = [
  { id: 'video', ...video, wait: true },
  { id: 'order', ...video, wait: false, maxCredits: '60', parameters: '{"resolution": "480p"}' },
  { id: 'image', type: 'framegate-image', model: 'image-b-2', wait: true },
  { id: 'wait', type: 'framegate-wait' },
  { id: 'find', type: 'framegate-find' },
  { id: 'download', type: 'framegate-download' },
  { id: 'balance', type: 'framegate-balance' },
];

/** Sends a message and waits for as many results or errors. */
async function play(id: string, message: object, count = 1) {
  await red.send(id, message);
  return heard(count);
}
async function heard(count: number) {
  const all = async () => {
    const { results, errors } = await red.heard();
    return [...results, ...errors];
  };
  await until(async () => (await all()).length >= count);
  return (await all())[0] ?? { payload: {} };
}

test('a prompt becomes a video; its id leads to the record, the end and the file', async () => {
  const made = await play('video', { payload: 'A paper boat' });
  expect(made.payload).toMatchObject({ type: 'video', status: 'completed' });
  const id = String(made['generationId']);
  expect(await play('find', { payload: id }, 2)).toBeDefined();
  await play('wait', { generationId: id }, 3);
  const path = join(world.folder, 'boat.mp4');
  await play('download', { generationId: id, filename: path }, 4);
  const { results, errors } = await red.heard();
  expect(errors).toEqual([]);
  expect(results.map(({ payload }) => payload['id'])).toEqual([id, id, id, id]);
  expect((await readFile(path)).subarray(4, 8).toString()).toBe('ftyp');
});
