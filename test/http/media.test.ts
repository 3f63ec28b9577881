import { afterEach, describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';
import type { HttpMiddleware } from '../../gateway/src/http/context.ts';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

const start = (media: HttpMiddleware) => startTestServer({ app: { media } });

describe('files under way', () => {
  test('what the media step passes on is answered by the others', async () => {
    server = await start((_ctx, next) => next());
    expect((await fetch(`${server.url}/docs`)).status).toBe(200);
    expectRefusal(await readRefusal(await fetch(`${server.url}/media/x`)), 'not_found');
  });

  test('500 internal_error: an answer that cannot be written', async () => {
    server = await start((ctx) => {
      ctx.set({ 'Cache-Control': 'private', 'Content-Disposition': 'inline' });
      const endless: Record<string, unknown> = {};
      endless['again'] = endless;
      ctx.body = endless;
    });
    const refused = await readRefusal(await fetch(`${server.url}/media/outputs/x`));
    expectRefusal(refused, 'internal_error');
    expect(refused.headers.get('content-disposition')).toBeNull();
    expect(JSON.stringify(server.log)).toContain('circular');
  });

  test.each([0, 1])(
    'a file that breaks after %i parts is cut: nobody takes it for whole',
    async (count) => {
      server = await start((ctx) => {
        ctx.set('Content-Length', '1000');
        let parts = 0;
        ctx.body = new Readable({
          read() {
            parts += 1;
            if (parts <= count) this.push('a part');
            else this.destroy(new Error('disk gone'));
          },
        });
      });
      const whole = fetch(`${server.url}/media/outputs/x`).then((answer) => answer.text());
      await expect(whole).rejects.toThrow();
      const [line] = server.log.filter(({ level }) => level === 'error');
      expect(JSON.stringify(line)).toContain('disk gone');
    },
  );
});
