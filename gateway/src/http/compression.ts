import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { HttpContext } from './context.ts';

/** A content coding, or none. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Content below this size is not compressed, in bytes. */
export const minCompressedBytes = 1024;

/** Effort for content that is compressed once, and for a page that is compressed for one answer. */
const once = { brotli: 9, gzip: 9 };
const each = { brotli: 5, gzip: 6 };

const brotliOptions = (bytes: Buffer, quality: number) => ({
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

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** The preferred coding among those in Accept-Encoding; `identity` without that header. */
export function encodingFor(ctx: HttpContext): Encoding {
  if (ctx.get('Accept-Encoding') === '') return 'identity';
  const best = (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one) === one);
  return best ?? 'identity';
}

/** Pages above this size are sent as they are, in bytes: compressing them takes more than about ten ms. */
const maxCompressedBytes = 2_000_000;

/**
 * Compresses the page of an answer, outside the event loop. A page that another site opened is not compressed: by the
 * lengths of pages with words of its choice, whoever listens could find out what else is on them (BREACH). The token of
 * forms differs in each answer (`guardForms`).
 */
export async function compressPage(ctx: HttpContext, next: () => Promise<unknown>): Promise<void> {
  await next();
  const { body } = ctx;
  if (!Buffer.isBuffer(body) || !ctx.response.is('html')) return;
  ctx.vary('Accept-Encoding, Sec-Fetch-Site');
  const isOfOthers = ['cross-site', 'same-site'].includes(ctx.get('Sec-Fetch-Site'));
  const isInBounds = body.length >= minCompressedBytes && body.length <= maxCompressedBytes;
  const encoding = isOfOthers || !isInBounds ? 'identity' : encodingFor(ctx);
  if (encoding === 'identity') return;
  ctx.body =
    encoding === 'br'
      ? await brotli(body, brotliOptions(body, each.brotli))
      : await zip(body, { level: each.gzip });
  ctx.set('Content-Encoding', encoding);
}
