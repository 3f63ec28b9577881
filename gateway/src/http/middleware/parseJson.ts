import { koaBody } from 'koa-body';
import { Refusal } from '../../domain/refusal.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { ClientGone, isClientGone } from '../describeError.ts';
import { parseJsonObject } from '../parseJsonObject.ts';

/** The largest body, in bytes, after decompression. */
const bodyBytesMax = 256 * 1024;

/**
 * koa-body counts, inflates and bounds. It reads the bytes as text in latin1, which keeps each byte:
 * its own JSON step would replace invalid UTF-8 without a word.
 */
const readBody = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  text: true,
  textTypes: ['application/json'],
  textLimit: bodyBytesMax,
  encoding: 'latin1',
  patchNode: false,
});

/**
 * Parses the body of a create into `ctx.state.json`. Stands after authentication, so that nobody
 * without a key has a body parsed.
 * @throws Refusal `unsupported_media_type`, `body_too_large`, `invalid_json`.
 */
export function parseJson(): HttpMiddleware {
  return async (ctx, next) => {
    requireJsonType(ctx);
    try {
      await Promise.race([readBody(ctx, () => Promise.resolve()), untilGone(ctx)]);
    } catch (error) {
      // What is left of the body is read and dropped: else the next request on the connection waits for it.
      ctx.req.unpipe();
      ctx.req.resume();
      throw refusalOf(error);
    }
    const { body } = ctx.request;
    const bytes = Buffer.from(typeof body === 'string' ? body : '', 'latin1');
    ctx.state.json = parseJsonObject(bytes);
    await next();
  };
}

/** `application/json`, in UTF-8 where a charset is named. */
const jsonInUtf8 = /^application\/json[ \t]*(;[ \t]*charset=("?)utf-?8\2[ \t]*)?$/i;

function requireJsonType({ req }: HttpContext): void {
  if (!jsonInUtf8.test(req.headers['content-type'] ?? '')) {
    throw new Refusal('unsupported_media_type');
  }
  // Names of codings are case-insensitive (RFC 9110 section 8.4.1); koa-body knows them in lower case.
  const coding = req.headers['content-encoding'];
  if (coding !== undefined) req.headers['content-encoding'] = coding.toLowerCase();
}

/** Rejects once the client has gone with its body unfinished: koa-body waits for ever on a compressed one. */
function untilGone({ req }: HttpContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    req.once('close', () => {
      if (!req.complete) reject(new ClientGone());
    });
  });
}

/** Everything that goes wrong with a body is the sender's: never a 500. */
function refusalOf(error: unknown): unknown {
  if (isClientGone(error)) return error;
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new Refusal('body_too_large');
  if (status === 415)
    return new Refusal('unsupported_media_type', {
      message: 'Content-Encoding may be gzip, deflate, br or absent.',
    });
  return new Refusal('invalid_json', {
    message: 'The body could not be read whole. Check its Content-Encoding and Content-Length.',
  });
}
