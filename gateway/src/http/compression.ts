import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context } from 'koa';

/** A content coding, or none. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Content below this size is not compressed, in bytes. */
export const minCompressedBytes = 1024;

/** Effort for content that is compressed once. */
const once = { brotli: 9, gzip: 9 };

/** Options of brotli for content that is known as a whole. */
export const brotliOptions = (bytes: Buffer, quality: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});

/** Compresses content that does not change. */
export function compressOnce(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') return brotliCompressSync(bytes, brotliOptions(bytes, once.brotli));
  return encoding === 'gzip' ? gzipSync(bytes, { level: once.gzip }) : bytes;
}

/** The preferred coding among those in Accept-Encoding; `identity` without that header. */
export function encodingFor(ctx: Pick<Context, 'get' | 'acceptsEncodings'>): Encoding {
  if (ctx.get('Accept-Encoding') === '') return 'identity';
  const best = (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one) === one);
  return best ?? 'identity';
}
