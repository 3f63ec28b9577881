import { isJsonObject } from '@framegate/contract';
import { type Allowances, refuseBeyond } from '../application/allowances.ts';
import type { Caller } from '../application/authenticate.ts';
import { replaysPerMinute } from '../application/generations/create/runIdempotently.ts';
import { Refusal } from '../domain/refusal.ts';
import { measureJson } from '../domain/text/jsonSize.ts';
import { createBodyReader, type ReadBody, UnreadableBodyError } from './body.ts';
import { callerOf, type HttpContext, type HttpMiddleware } from './context.ts';

/** Maximum size of a body, in bytes, after decompression. */
const maxBodyBytes = 256 * 1024;
/** Maximum names and values of a body together; a create request of nine images has about fifty. */
const maxParts = 2_000;
/** Maximum nesting of a body; a create request has three levels. */
const maxDepth = 32;

/**
 * Parses the body of a request into `ctx.state.json`. Must follow authentication: without a valid key, and beyond the
 * account's allowance of bodies, nothing is read or parsed.
 * @throws Refusal `rate_limited`, `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`.
 */
export function parseJsonBody(allowances: Pick<Allowances, 'take'>): HttpMiddleware {
  const readJsonBody = createJsonReader(maxBodyBytes);
  return async (ctx, next) => {
    const caller = callerOf(ctx);
    takeBody(allowances, caller, 1);
    const bytes = await readJsonBody(ctx);
    takeBody(allowances, caller, bytes.length / bytesPerBody - 1);
    ctx.state.json = parseJsonObject(bytes);
    await next();
  };
}

/**
 * Creates a parser of JSON bodies that count against no allowance, each of at most `maxBytes` bytes after
 * decompression. It throws the same refusals as `parseJsonBody`.
 */
export function createJsonParser(maxBytes: number): (ctx: HttpContext) => Promise<object> {
  const readJsonBody = createJsonReader(maxBytes);
  return async (ctx) => parseJsonObject(await readJsonBody(ctx));
}

/** A body up to this size counts as one; a larger one counts in proportion. */
const bytesPerBody = 64 * 1024;

/**
 * Takes bodies from an account's allowance in this process: twice its create requests and replays of a minute, so that
 * only an account whose requests are refused anyway reaches it.
 * @throws Refusal `rate_limited`.
 */
function takeBody(
  allowances: Pick<Allowances, 'take'>,
  { accountId, limits }: Caller,
  count: number,
): void {
  if (count <= 0) return;
  const perMinute = 2 * (limits.createsPerMinute + replaysPerMinute);
  refuseBeyond('bodies', perMinute, allowances.take(accountId, 'bodies', perMinute, count));
}

function createJsonReader(maxBytes: number): ReadBody {
  const read = createBodyReader('application/json', maxBytes);
  return async (ctx) => {
    if (!jsonInUtf8.test(ctx.req.headers['content-type'] ?? '')) {
      throw new Refusal('unsupported_media_type');
    }
    try {
      return await read(ctx);
    } catch (error) {
      throw error instanceof UnreadableBodyError ? bodyRefusal(error) : error;
    }
  };
}

/** `application/json`, in UTF-8 if a charset is named. */
const jsonInUtf8 = /^application\/json[ \t]*(;[ \t]*charset=("?)utf-?8\2[ \t]*)?$/i;

/** Any fault of a body is the sender's, never a 500. */
function bodyRefusal({ status }: UnreadableBodyError): Refusal {
  switch (status) {
    case 413:
      return new Refusal('body_too_large');
    case 415:
      return new Refusal('unsupported_media_type', {
        message: 'Content-Encoding must be gzip, deflate, br or absent.',
      });
    case 400:
      return new Refusal('invalid_json', {
        message:
          'The body could not be read completely. Check its Content-Encoding and Content-Length.',
      });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the bytes of a body into an object. An array or a scalar is refused like invalid JSON, because no call of this
 * API accepts one, as is a repeated name, which readers resolve differently.
 * @throws Refusal `invalid_json` for an empty body, invalid UTF-8 or JSON, a value that is not an object, a name
 * `__proto__` or a repeated name; before anything is parsed `invalid_json` for a body that is nested too deep, and
 * `invalid_request` for one with too many names and values.
 */
function parseJsonObject(bytes: Uint8Array): object {
  const size = measureJson(bytes, { maxParts, maxDepth });
  if (size.parts > maxParts) {
    throw new Refusal('invalid_request', {
      message: `The body has more than ${maxParts.toLocaleString('en')} names and values.`,
    });
  }
  if (size.depth > maxDepth) {
    throw new Refusal('invalid_json', {
      message: `The body is nested deeper than ${maxDepth} levels.`,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal('invalid_json');
  }
  if (!isJsonObject(value)) throw new Refusal('invalid_json');
  if (hasProto(value)) {
    throw new Refusal('invalid_json', { message: 'The body must not contain the name __proto__.' });
  }
  // With a repeated name, the parsed value has fewer names than the text.
  if (size.names !== countNames(value)) {
    throw new Refusal('invalid_json', { message: 'A name appears twice in one JSON object.' });
  }
  return value;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countNames(member), own);
}

function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}
