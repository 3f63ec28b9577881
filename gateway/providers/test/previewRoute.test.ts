import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import { createPreviewRenderer, type PreviewRenderer } from '@framegate/preview-renderer';
import { createRoutes } from '../src/createRoutes.ts';
import type { Route, Routes } from '../src/route.ts';
import { defaultRoutes } from '../src/routesFile.ts';
import { openNetwork as network } from './openNetwork.ts';
import { imageRequest, input, never, readOutput, videoRequest } from './routeFixtures.ts';

let workDir: string;
let preview: PreviewRenderer;
let routes: Routes & { close(): Promise<void> };

beforeAll(async () => {
  workDir = await mkdtemp(path.join(tmpdir(), 'framegate-preview-route-'));
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  let ids = 0;
  preview = createPreviewRenderer({
    workDir,
    log,
    now: () => Date.now(),
    newId: () => `render_${(ids += 1)}`,
  });
  routes = await createRoutes({
    file: defaultRoutes(catalogue),
    preview,
    log,
    network,
    now: Date.now,
  });
});

afterAll(async () => {
  await routes.close();
  await preview.close();
  await rm(workDir, { recursive: true });
});

function routeOf(model: string): Route {
  const [route] = routes.forModel(model);
  if (!route) throw new Error(`no route for ${model}`);
  return route;
}

test('every model of the catalogue has a preview route, which may be repeated', () => {
  expect(catalogue.flatMap(({ id }) => routes.forModel(id))).toHaveLength(catalogue.length);
  expect(routeOf('alpha-2.5')).toMatchObject({ provider: 'preview', safeToRepeat: true });
});

test('a video is submitted, polled and passed on as bytes', async () => {
  const route = routeOf('alpha-2.5');
  const request = videoRequest({ duration_seconds: 1, resolution: '480p' });
  const submission = await route.submit(request, never);
  const operation: unknown = submission.kind === 'accepted' ? submission.operation : null;
  let poll = await route.poll(operation, request, never);
  expect(poll.kind).toBe('pending');
  while (poll.kind === 'pending') {
    await new Promise((resolve) => setTimeout(resolve, 20));
    poll = await route.poll(operation, request, never);
  }
  const bytes = await readOutput(poll.kind === 'completed' ? poll.outputs[0] : undefined);
  expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
});

test('images come in the format that was ordered', async () => {
  const made = await routeOf('image-a-2').submit(
    imageRequest({ n: 2, output_format: 'webp' }),
    never,
  );
  const outputs = made.kind === 'completed' ? made.outputs : [];
  expect(outputs).toHaveLength(2);
  for (const output of outputs) {
    const bytes = await readOutput(output);
    expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');
  }
});

test("a picture that cannot be drawn is the customer's error", async () => {
  const route = routeOf('image-a-2');
  const request = imageRequest({}, { inputs: [input('reference')] });
  expect(await route.submit(request, never)).toMatchObject({
    kind: 'refused',
    code: 'input_invalid',
  });
});

test('a missing render counts as failed', async () => {
  const poll = await routeOf('alpha-2.5').poll({ renderId: 'gone' }, videoRequest(), never);
  expect(poll).toMatchObject({ kind: 'failed', code: 'generation_failed' });
});
