import { Refusal } from '../../domain/refusal.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { parseJsonObject } from '../parseJsonObject.ts';
import { readBody, UnreadableBody } from '../readBody.ts';

/** The largest body, in bytes, after decompression. */
const maxBodyBytes = 256 * 1024;

/**
 * Parses the body of a create into `ctx.state.json`. Stands after authentication, so that a body without
 * a valid key is not parsed.
 * @throws Refusal `unsupported_media_type`, `body_too_large`, `invalid_json`.
 */
export function parseJson(): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.json = await readJson(ctx, maxBodyBytes);
    await next();
  };
}

/** Reads a JSON body. @throws Refusal as `parseJson` does. */
export async function readJson({ req }: HttpContext, maxBytes: number): Promise<object> {
  if (!jsonInUtf8.test(req.headers['content-type'] ?? '')) {
    throw new Refusal('unsupported_media_type');
  }
  try {
    return parseJsonObject(await readBody(req, maxBytes));
  } catch (error) {
    throw error instanceof UnreadableBody ? refusalOf(error) : error;
  }
}

/** `application/json`, in UTF-8 where a charset is named. */
const jsonInUtf8 = /^application\/json[ \t]*(;[ \t]*charset=("?)utf-?8\2[ \t]*)?$/i;

/** Everything that goes wrong with a body is the sender's: never a 500. */
function refusalOf({ status }: UnreadableBody): Refusal {
  switch (status) {
    case 413:
      return new Refusal('body_too_large');
    case 415:
      return new Refusal('unsupported_media_type', {
        message: 'Content-Encoding may be gzip, deflate, br or absent.',
      });
    case 400:
      return new Refusal('invalid_json', {
        message: 'The body could not be read whole. Check its Content-Encoding and Content-Length.',
      });
  }
}
