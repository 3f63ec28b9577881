import { koaBody } from 'koa-body';
import { Refusal } from '../../../domain/refusal.ts';
import type { HttpContext } from '../../context.ts';
import { ClientGone, isClientGone } from '../../describeError.ts';

/** Fields of a form, as they were typed. */
export interface Form {
  /** The first value; empty when there is none. */
  get(name: string): string;
  all(name: string): string[];
  /** All fields in their order. */
  entries(): [string, string][];
}

/** The longest form, in bytes: a prompt of 5,000 characters takes up to 60 KB as it is sent. */
const formBytesMax = 128 * 1024;
const fieldsMax = 200;

const readBody = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  text: true,
  textTypes: ['application/x-www-form-urlencoded'],
  textLimit: formBytesMax,
  patchNode: false,
});

/** A form from its fields. */
export function formOf(entries: Iterable<readonly [string, string]>): Form {
  const fields = new URLSearchParams();
  let count = 0;
  for (const [name, value] of entries) {
    count += 1;
    if (count <= fieldsMax) fields.append(name, value.replaceAll('\r\n', '\n'));
  }
  return {
    get: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
    entries: () => [...fields.entries()],
  };
}

/** Reads the fields of a POST. @throws Refusal when they cannot be read. */
export async function readForm(ctx: HttpContext): Promise<Form> {
  if (!ctx.is('application/x-www-form-urlencoded')) throw new Refusal('unsupported_media_type');
  const gone = new Promise<never>((_resolve, reject) => {
    ctx.req.once('close', () => {
      if (!ctx.req.complete) reject(new ClientGone());
    });
  });
  try {
    await Promise.race([readBody(ctx, () => Promise.resolve()), gone]);
  } catch (error) {
    ctx.req.unpipe();
    ctx.req.resume();
    if (isClientGone(error)) throw error;
    const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
    throw new Refusal(status === 413 ? 'body_too_large' : 'invalid_request', {
      message: status === 413 ? 'This form is too long.' : 'This form could not be read.',
    });
  }
  const { body } = ctx.request as { body?: unknown };
  return formOf(new URLSearchParams(typeof body === 'string' ? body : ''));
}
