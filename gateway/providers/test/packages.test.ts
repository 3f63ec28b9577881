import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPackage, type PackageName, packages } from './packageFixtures.ts';
import { never, type openRoute, wordOf } from './routeFixtures.ts';
import { type PackageServer, usePackageServer } from './usePackageServer.ts';
import { frames, orderedVideos, references, text } from './videoOrders.ts';

const packageServer = usePackageServer();
let server: PackageServer;
beforeAll(() => {
  server = packageServer();
});

const open = (name: PackageName, model: string, options?: Parameters<typeof openRoute>[2]) =>
  openPackage(server, name, model, options);

describe('a video', () => {
  test.each(orderedVideos)(
    'by %s, %s, has every ordered parameter',
    async (name, model, request, path, body) => {
      server.response = packages[name].submitted;
      const { route, observed } = await open(name, model);
      expect((await route.submit(request, never)).kind).toBe('accepted');
      expect(server.got).toMatchObject([{ method: 'POST', path, body }]);
      expect(server.got[0]?.body).toEqual(body);
      expect(JSON.stringify(server.got[0]?.headers)).toContain('secret-key');
      expect(observed.errors).toEqual([]);
    },
  );

  test.each([
    ['fal-ai/bytedance/seedance/v1.5/pro/text-to-video', '/fal-ai/bytedance'],
    ['bytedance/seedance-2.0/text-to-video', '/bytedance/seedance-2.0'],
  ])('of fal, %s, is found by its id at %s', async (model, application) => {
    const { route } = await open('fal', model);
    server.response = { video: { url: 'https://files.example/1.mp4' } };
    const done = await route.poll(route.operationOf?.('job-1'), text({}), never, 'staff');
    expect(done).toMatchObject({ kind: 'completed', outputs: [{}] });
    expect(server.got).toMatchObject([{ method: 'GET', path: `${application}/requests/job-1` }]);
  });

  test.each([
    ['Request Moderated', 'input_rejected'],
    ['Content Moderated', 'output_rejected'],
    ['Error', 'generation_failed'],
  ])('of Black Forest Labs that ends as %s is %s', async (status, code) => {
    const { route } = await open('bfl', 'flux-3-video');
    const operation = { requestId: '1', pollingUrl: 'https://api.bfl.ai/v1/get_result?id=1' };
    const poll = () => route.poll(operation, text({}), never);
    server.response = { id: '1', status: 'Pending', result: null };
    expect(await poll()).toEqual({ kind: 'pending' });
    server.response = { id: '1', status: 'Task not found', result: null };
    expect(await poll()).toMatchObject({ kind: 'fault' });
    server.response = { id: '1', status, result: null };
    expect(await poll()).toMatchObject({ kind: 'failed', code });
    server.response = {
      id: '1',
      status: 'Ready',
      result: { sample: 'https://files.example/1.mp4' },
    };
    expect(await poll()).toMatchObject({ kind: 'completed', outputs: [{}] });
  });

  test('whose last frame would be lost is not ordered, though its first is sent', async () => {
    server.response = packages.alibaba.submitted;
    // The operator claims that this model takes a last frame; the package knows better.
    const route = { does: { lastFrame: true, audio: true, aspectRatios: ['16:9'] } };
    const { route: wrong } = await open('alibaba', 'wan2.6-i2v', { route });
    const request = frames('first_frame', 'last_frame');
    expect(wrong.covers(request)).toBe(true);
    expect(await wrong.submit(request, never)).toMatchObject({
      kind: 'refused',
      code: null,
      health: { kind: 'parameter_dropped' },
      note: 'not sent on: @frameImages (send.lastFrame)',
    });
    expect(server.got).toEqual([]);
  });

  test('that lost a parameter on the way raises an alert', async () => {
    server.response = packages.xai.submitted;
    // The package sends the picture, and warns of the video only after the order.
    const route = {
      does: { references: { image: 1, video: 1 } },
      send: { videos: '@inputReferences' },
    };
    const { route: wrong, observed } = await open('xai', 'grok-imagine-video', { route });
    const request = references('image', 'video');
    expect(wrong.covers(request)).toBe(true);
    // The provider works on it, but the customer would pay for a missing part.
    expect(wordOf(await wrong.submit(request, never))).toEqual({
      kind: 'undelivered',
      note: expect.stringContaining('not sent on: @inputReferences') as unknown,
      operation: expect.anything() as unknown,
    });
    expect(observed.errors).toContainEqual(
      expect.objectContaining({ alert: 'parameter_dropped', feature: 'inputReferences' }),
    );
  });
});
