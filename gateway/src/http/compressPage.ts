import { compress, encodingFor, minCompressedBytes } from './compression.ts';
import type { HttpContext } from './context.ts';

/** Effort for a page, which is compressed for one response. */
const effort = { brotli: 5, gzip: 6 };

/** Pages above this size are sent as they are, in bytes: compressing them takes more than about ten ms. */
const maxCompressedBytes = 2_000_000;

/**
 * Compresses the page of a response, outside the event loop. A page that another site opened is not compressed: by the
 * lengths of pages with text of its choice, an eavesdropper could find out their other content (BREACH). The token of
 * forms differs in each response (`guardForms`).
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
  ctx.body = await compress(body, encoding, effort);
  ctx.set('Content-Encoding', encoding);
}
