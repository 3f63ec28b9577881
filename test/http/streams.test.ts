import { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

test('a streamed response prints no leak warning', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  try {
    server = await startTestServer({
      app: {
        media: async (ctx, next) => {
          if (ctx.path !== '/media/x') return next();
          // Like steps that free a slot afterwards.
          ctx.res.once('close', () => undefined);
          ctx.body = Readable.from(['a', 'file']);
        },
      },
    });
    expect(await (await fetch(`${server.url}/media/x`)).text()).toBe('afile');
    // Warnings arrive in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});
