import { randomUUID } from 'node:crypto';
import { maxLimit } from '../../domain/account.ts';
import { Refusal, PlainRefusal } from '../../domain/refusal.ts';
import type { HttpContext } from '../context.ts';
import { readBody, UnreadableBody } from '../body.ts';

/** Fields of a form, as they were typed. */
export interface Form {
  /** The first value; empty when there is none. */
  get(name: string): string;
  all(name: string): string[];
  /** All fields in their order. */
  entries(): [string, string][];
}

/** The longest form, in bytes: a prompt of 5,000 characters takes up to 60 KB as it is sent. */
export const maxFormBytes = 128 * 1024;
/** Fields of a form; more are left out. */
export const maxFields = 200;

/** A form from its fields. */
export function formOf(entries: Iterable<readonly [string, string]>): Form {
  const fields = new URLSearchParams();
  let count = 0;
  for (const [name, value] of entries) {
    count += 1;
    if (count <= maxFields) fields.append(name, value.replaceAll('\r\n', '\n'));
  }
  return {
    get: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
    entries: () => [...fields.entries()],
  };
}

/** Reads the fields of a POST. @throws Refusal when they cannot be read. */
export async function parseForm(ctx: HttpContext): Promise<Form> {
  if (!ctx.is('application/x-www-form-urlencoded')) throw new Refusal('unsupported_media_type');
  try {
    const body = await readBody(ctx.req, maxFormBytes);
    return formOf(new URLSearchParams(body.toString()));
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    throw error.status === 413
      ? new Refusal('body_too_large', { message: 'This form is too long.' })
      : new Refusal('invalid_request', { message: 'This form could not be read.' });
  }
}

/** A random id for a form: sent twice, it is done once. */
export function newFormKey(): string {
  return randomUUID();
}

/** A whole number of a form. @throws PlainRefusal when it is none. */
export function parseInteger(form: Form, name: string): number {
  const text = form.get(name).trim();
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new PlainRefusal(`"${text}" is not a whole number.`);
  return number;
}

/** A whole number from `min`; undefined when the field is empty. @throws PlainRefusal otherwise. */
export function parseLimit(form: Form, name: string, min: number): number | undefined {
  if (form.get(name).trim() === '') return undefined;
  const number = parseInteger(form, name);
  if (number < min || number > maxLimit) {
    const most = maxLimit.toLocaleString('en');
    throw new PlainRefusal(`A limit is a whole number from ${min} to ${most}.`);
  }
  return number;
}

/** The end of a day (UTC), in ms since the epoch; null when the field is empty. @throws PlainRefusal when it is none. */
export function parseEndOfDay(form: Form, name: string): number | null {
  const text = form.get(name).trim();
  if (text === '') return null;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : NaN;
  if (Number.isNaN(ms)) throw new PlainRefusal(`"${text}" is not a day.`);
  return ms;
}
