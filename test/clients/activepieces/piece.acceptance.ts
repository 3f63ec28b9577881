import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { TestAccount } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { type InstalledPiece, installPiece } from './piece.ts';

/* The piece as it is packed, in the test context of Activepieces' framework, against a real gateway. */

/** The price of a video with these parameters. */
const credits = 20;
const parameters = { duration_seconds: 4, resolution: '480p' };
const video = (prompt: string) => ({
  model: 'alpha-2.0-fast',
  mode: 'text-to-video',
  wait: true,
  prompt,
  parameters,
});

let world: ClientWorld;
let account: TestAccount;
let piece: InstalledPiece;
const keys = () => world.creates().map(({ headers }) => headers['idempotency-key']);

beforeAll(async () => {
  world = await startClientWorld();
  account = await world.addAccount({ credits: 1_000 });
  piece = await installPiece(world.folder, { baseUrl: world.baseUrl, apiKey: account.apiKey });
});
afterAll(() => world.stop());
beforeEach(() => {
  world.line.reset();
  world.ark.reset();
});

test('is a piece by the schema of the framework, with six actions', () => {
  const { actions, auth } = piece.metadata();
  expect(auth).toMatchObject({ type: 'CUSTOM_AUTH', props: { apiKey: { type: 'SECRET_TEXT' } } });
  expect(Object.keys(actions)).toEqual([
    ...['create_video', 'create_image', 'wait', 'find', 'download', 'balance'],
  ]);
});

test('a prompt becomes a video; its id leads to the record, the end and the file', async () => {
  const made = await piece.playToEnd('create_video', video('A paper boat'));
  expect(made).toMatchObject({ type: 'video', status: 'completed' });
  const generationId = made['id'];
  for (const action of ['find', 'wait']) {
    expect(await piece.playToEnd(action, { generationId })).toMatchObject({ id: generationId });
  }
  const { files } = await piece.playToEnd('download', { generationId });
  const [[name, bytes] = ['', Buffer.alloc(0)]] = piece.files;
  expect(files).toEqual([`https://flows.example/${name}`]);
  expect([name, bytes.subarray(4, 8).toString()]).toEqual([expect.stringMatching(/mp4$/), 'ftyp']);
  const { available } = await piece.play('balance', {});
  expect(available).toBe(await world.available(account));
  expect(piece.store.size).toBe(0);
});

test('a repeated step gets its generation; other content and other runs get others', async () => {
  const ask = { model: 'image-b-2', prompt: 'A fern', wait: false };
  const again = { method: 'POST', path: '/images', forwarded: true, cut: true };
  world.line.disturb(again);
  const ids = [
    await piece.play('create_image', ask),
    await piece.play('create_image', ask),
    await piece.play('create_image', { ...ask, prompt: 'A leaf' }),
    await piece.play('create_image', ask, { run: 'run-2' }),
    await piece.play('create_image', { ...ask, orderId: 'row-7' }),
    await piece.play('create_image', { ...ask, orderId: 'row-7' }, { run: 'run-3' }),
  ].map(({ id }) => id);
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 2, 3, 4, 4]);
  expect(new Set(keys()).size).toBe(4);
});

test('a long wait pauses the run, which continues by the id, even if its inputs change', async () => {
  const before = await world.generationsOf(account);
  const real = performance.now.bind(performance);
  let later = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + later);
  const aMinute = async () => void (later += 61_000);
  world.line.disturb({ method: 'POST', path: '/videos', meanwhile: aMinute });
  const paused = await piece.play('create_video', video('A long wait'));
  clock.mockRestore();
  expect(paused.isPaused).toBe(true);
  const changed = video('Another prompt');
  const resumed = await piece.playToEnd('create_video', changed, { isResumed: true });
  expect(resumed).toMatchObject({ id: paused['id'], status: 'completed' });
  expect(await world.generationsOf(account)).toBe(before + 1);
  expect([keys().length, piece.store.size]).toEqual([1, 0]);
});

test('errors name the remedy in Activepieces', async () => {
  const limited = { ...video('Too dear'), maxCredits: credits - 1 };
  await expect(piece.play('create_video', limited)).rejects.toThrow('raise Maximum Credits');
  expect(world.creates()).toEqual([]);
  world.ark.script({ on: 'task', prompt: 'A failure', plan: { polls: 1, end: 'failed' } });
  await expect(piece.playToEnd('create_video', video('A failure'))).rejects.toThrow(
    /20 credits were refunded.*gen_.*Start a new run/,
  );
  const { baseUrl } = world;
  expect(await piece.validate({ auth: { baseUrl, apiKey: account.apiKey } })).toEqual({
    valid: true,
  });
  const wrong = await piece.validate({ auth: { baseUrl, apiKey: 'fg_live_' } });
  expect(wrong).toEqual({ valid: false, error: expect.stringContaining('Open Connections') });
});
