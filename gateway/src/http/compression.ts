import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** A content coding, or none. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Content below this size is not compressed, in bytes. */
export const minCompressedBytes = 1024;

/** How hard to compress. */
interface Effort {
  brotli: number;
  gzip: number;
}

/** Effort for content that is compressed once. */
export const effortOnce: Effort = { brotli: 9, gzip: 9 };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses content that is known as a whole, outside the event loop. */
export async function compress(bytes: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return zip(bytes, { level: effort.gzip });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotli(bytes, { params });
}

/** The preferred coding among those in Accept-Encoding; `identity` without that header. */
export function encodingFor(ctx: Pick<Context, 'get' | 'acceptsEncodings'>): Encoding {
  if (ctx.get('Accept-Encoding') === '') return 'identity';
  const best = (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one) === one);
  return best ?? 'identity';
}
