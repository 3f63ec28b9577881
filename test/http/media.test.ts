import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createSlots } from '@framegate/limits';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { signOutputUrl } from '../../gateway/src/domain/generations/mediaUrl.ts';
import type { HttpMiddleware } from '../../gateway/src/http/context.ts';
import { mediaMiddleware } from '../../gateway/src/http/media/mediaMiddleware.ts';
import { createPieces } from '../../gateway/src/http/media/sendLocalFile.ts';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

const signingKeys = [{ version: 'a', secret: 'a secret' }];
const nowMs = Date.UTC(2026, 0, 1);

const start = (media: HttpMiddleware) => startTestServer({ app: { media } });

describe('files in transit', () => {
  test('requests that the media step passes on are answered by the others', async () => {
    server = await start((_ctx, next) => next());
    expect((await fetch(`${server.url}/docs`)).status).toBe(200);
    expectRefusal(await readRefusal(await fetch(`${server.url}/media/x`)), 'not_found');
  });

  test.each(['stat', 'open', 'openLocal', 'read'] as const)(
    '503 while the store fails at %s: clients retry',
    async (step) => {
      const warned: string[] = [];
      const isLocal = ['openLocal', 'read'].includes(step);
      const file = { bytes: 4, contentType: 'video/mp4', etag: 'e', ...(isLocal && { path: 'a' }) };
      const fails = () => Promise.reject(new Error('connect ECONNREFUSED'));
      server = await start(
        mediaMiddleware({
          slots: createSlots(workKinds),
          fileStem: 'framegate',
          path: '/media',
          delivery: { by: 'proxy' },
          pieces: createPieces(),
          signingKeys,
          now: () => nowMs,
          isTakenDown: async () => false,
          store: {
            stat: async () => file,
            open: async () => null,
            ...(isLocal && { openLocal: async () => ({ read: fails, close: () => undefined }) }),
            [step]: fails,
          },
          log: { warn: (_fields, message) => void warned.push(message) },
        }),
      );
      const { url } = signOutputUrl({
        mediaUrl: `${server.url}/media`,
        signingKeys,
        nowMs,
        removedAt: nowMs + 1e9,
        generationId: 'gen_01jd00000000000000000000ab',
        index: 0,
        extension: 'mp4',
      });
      const refused = await readRefusal(await fetch(url));
      expectRefusal(refused, 'service_unavailable');
      expect(refused.headers.get('retry-after')).toBe('2');
      expect(refused.headers.get('etag')).toBeNull();
      expect(warned).toEqual(['failed to read the media store']);
    },
  );

  test('500 internal_error: a response that cannot be written', async () => {
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
    'a file that breaks after %i parts is cut, so that no client takes it for complete',
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
      const whole = fetch(`${server.url}/media/outputs/x`).then((response) => response.text());
      await expect(whole).rejects.toThrow();
      const [line] = server.log.filter(({ level }) => level === 'error');
      expect(JSON.stringify(line)).toContain('disk gone');
    },
  );
});
