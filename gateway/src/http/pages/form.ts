import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { maxLimit, sum } from '@framegate/contract';
import { Refusal } from '../../domain/refusal.ts';
import { parseDay } from '../../domain/time/utcDay.ts';
import { createBodyReader, DisconnectError, UnreadableBodyError } from '../body.ts';
import type { HttpContext } from '../context.ts';

/** Fields of a form as typed. */
export interface Form {
  /** The first value; empty if there is none. */
  get(name: string): string;
  all(name: string): string[];
  /** All fields in their order. */
  entries(): [string, string][];
}

/** Maximum size of a form, in bytes: an encoded prompt of 5,000 characters takes up to 60 KB. */
export const maxFormBytes = 128 * 1024;
/** Maximum number of fields; further ones are ignored. */
export const maxFields = 200;
/** Maximum number of parts of a form with files, including fields. */
const maxParts = 220;
/** Maximum size of a form without its files, in bytes: fields, part headers and boundaries. */
const maxOverheadBytes = 4 * maxFormBytes;

/** Creates a form from its fields. */
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

const formType = 'application/x-www-form-urlencoded';
const readFormBody = createBodyReader(formType, maxFormBytes);

/** Reads the fields of a POST. @throws Refusal when they cannot be read. */
export async function parseForm(ctx: HttpContext): Promise<Form> {
  if (!ctx.is(formType)) throw new Refusal('unsupported_media_type');
  try {
    const body = await readFormBody(ctx);
    return formOf(new URLSearchParams(body.toString()));
  } catch (error) {
    if (!(error instanceof UnreadableBodyError)) throw error;
    throw error.status === 413
      ? new Refusal('form_text_too_large')
      : new Refusal('form_unreadable');
  }
}

/** A random id of a form, so that a repeated submission has no further effect. */
export function newFormKey(): string {
  return randomUUID();
}

/** Parses a whole number. @throws Refusal `number_invalid` for anything else. */
export function parseInteger(form: Form, name: string): number {
  const text = form.get(name).trim();
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) {
    throw new Refusal('number_invalid', { values: { entered: text }, param: name });
  }
  return number;
}

/** Parses a whole number from `min`; undefined for an empty field. @throws Refusal otherwise. */
export function parseLimit(form: Form, name: string, min: number): number | undefined {
  if (form.get(name).trim() === '') return undefined;
  const number = parseInteger(form, name);
  if (number < min || number > maxLimit) {
    throw new Refusal('limit_invalid', { values: { min, max: maxLimit }, param: name });
  }
  return number;
}

/** Parses a day into the ms since the epoch of its end (UTC); null for an empty field. @throws Refusal otherwise. */
export function parseEndOfDay(form: Form, name: string): number | null {
  const text = form.get(name).trim();
  if (text === '') return null;
  const day = parseDay(text);
  if (!day) throw new Refusal('day_invalid', { values: { entered: text }, param: name });
  // Its last second, because lists show the day of this time.
  return day.until - 1_000;
}

/** A file of a form that is still arriving. */
export interface ArrivingFile {
  /** Name of the field. */
  name: string;
  data: AsyncIterable<Uint8Array>;
  /** Fields that preceded the file. */
  fields: Form;
  /** Aborted when the form cannot be completed. */
  signal: AbortSignal;
}

/**
 * Reads a form with files (RFC 7578) as it arrives. File fields without a file are ignored.
 * @param maxBytes Maximum size of the form.
 * @param takeFile Processes one file; unread data is discarded, and an error ends the reading.
 * @throws Refusal if the form is too large or unreadable; DisconnectError; errors of `takeFile`.
 */
export async function parseMultipart(
  req: IncomingMessage,
  maxBytes: number,
  takeFile: (file: ArrivingFile) => Promise<void>,
): Promise<Form> {
  const parser = openParser(req);
  const stop = new AbortController();
  const arrived = Promise.withResolvers<undefined>();
  const fields: [string, string][] = [];
  const files: Promise<void>[] = [];
  const arriving: { bytesRead: number }[] = [];
  let bytes = 0;
  let fieldBytes = 0;
  const fail = (error: unknown) => {
    stop.abort(error);
    arrived.reject(error);
    // Drains the rest; otherwise the connection's next request would wait for it.
    req.resume();
  };
  parser.on('field', (name: string | undefined, value) => {
    fieldBytes += value.length;
    if (fieldBytes > maxFormBytes) fail(tooLargeRefusal(maxBytes));
    else if (name !== undefined) fields.push([name, value]);
  });
  parser.once('partsLimit', () => fail(new Refusal('form_unreadable')));
  parser.on('file', (name: string | undefined, file, filename: string | undefined) => {
    arriving.push(file);
    // A truncated file also fails the form.
    file.on('error', () => undefined);
    const isChosen = name !== undefined && filename !== undefined && filename !== '';
    const own = { name: name ?? '', fields: formOf(fields), signal: stop.signal };
    const taking = isChosen ? takeFile({ ...own, data: readPieces(file) }) : Promise.resolve();
    // Discards unread data, which would block the rest of the form.
    files.push(taking.finally(() => file.resume()));
    taking.catch(fail);
  });
  parser.once('finish', () => arrived.resolve(undefined));
  parser.once('error', () => fail(new Refusal('form_unreadable')));
  req.on('data', (chunk: Buffer) => {
    if (stop.signal.aborted) return;
    bytes += chunk.length;
    const overhead = bytes - sum(arriving.map(({ bytesRead }) => bytesRead));
    if (bytes > maxBytes) fail(tooLargeRefusal(maxBytes));
    else if (overhead > maxOverheadBytes) fail(new Refusal('form_text_too_large'));
    else if (!parser.write(chunk)) waitForDrain(req, parser);
  });
  req.once('end', () => parser.end());
  req.once('close', () => {
    if (!req.readableEnded) fail(new DisconnectError());
  });
  if (Number(req.headers['content-length']) > maxBytes) fail(tooLargeRefusal(maxBytes));
  try {
    await arrived.promise;
    await Promise.all(files);
  } finally {
    await Promise.allSettled(files);
  }
  return formOf(fields);
}

function openParser(req: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      limits: {
        fieldSize: maxFormBytes,
        fields: maxFields,
        files: maxFields,
        parts: maxParts,
        headerPairs: 20,
        headerSize: 4_096,
      },
    });
  } catch {
    req.resume();
    throw new Refusal('form_unreadable');
  }
}

function waitForDrain(req: IncomingMessage, parser: BusboyInstance): void {
  req.pause();
  parser.once('drain', () => req.resume());
}

/** Iterates over a file so that reading may stop early without closing it. */
async function* readPieces(file: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of file.iterator({ destroyOnReturn: false })) yield piece as Uint8Array;
}

function tooLargeRefusal(maxBytes: number): Refusal {
  return new Refusal('form_too_large', { values: { megabytes: Math.floor(maxBytes / 1_000_000) } });
}
