import { Refusal } from '../../domain/refusal.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
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
    ctx.state.json = await parseJsonBody(ctx, maxBodyBytes);
    await next();
  };
}

/** Reads a JSON body. @throws Refusal as `parseJson` does. */
export async function parseJsonBody({ req }: HttpContext, maxBytes: number): Promise<object> {
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

/** Maximum nesting of a body; a valid one has three levels. */
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the bytes of a body into an object. An array or a scalar is refused like broken JSON: no call
 * of this API takes one. So is a name given twice, of which every reader takes another one.
 * @throws Refusal `invalid_json` for an empty body, invalid UTF-8 or JSON, a value that is no object,
 * a name `__proto__` or given twice, and nesting that would exhaust what walks over the body later.
 */
function parseJsonObject(bytes: Uint8Array): object {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_json');
  }
  if (!isPlain(value, 1)) {
    const message = `The body is nested deeper than ${maxDepth} levels, or has the name __proto__.`;
    throw new Refusal('invalid_json', { message });
  }
  if (countWrittenNames(text) !== countNames(value)) {
    throw new Refusal('invalid_json', { message: 'A name is given twice in one JSON object.' });
  }
  return value;
}

/** Strings of a JSON text, each with the colon behind it where it is a name. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*(:?)/gs;

/** Names as they are written; the parsed value has fewer where one is written twice. */
function countWrittenNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon === ':') count += 1;
  return count;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countNames(member), own);
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxDepth || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isPlain(member, depth + 1));
}
