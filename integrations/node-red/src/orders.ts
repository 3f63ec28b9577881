import { randomUUID } from 'node:crypto';
import { join, parse } from 'node:path';
import type { CreateImage, CreateVideo } from '../../typescript/src/index.ts';

/** The fields of a node in the editor; `parameters` is JSON. */
export type Fields = { account: string; wait?: boolean } & Partial<
  Record<'model' | 'mode' | 'parameters' | 'maxCredits' | 'generationId' | 'filename', string>
>;

/** A message of a flow. */
export type Message = Record<string, unknown>;

const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key of an order: the id from its flow, or a new one. @throws Error for other values. */
export function orderKey({ idempotencyKey: key }: Message): string {
  if (key === undefined || key === null) return randomUUID();
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  throw new Error('Set msg.idempotencyKey to the ID of your order: a text or a number.');
}

/**
 * The body of a create request. A text in `msg.payload` is the prompt; an object replaces fields of the node.
 * @throws Error if it is not an order.
 */
export function orderOf({ model, mode, parameters }: Fields, { payload }: Message) {
  const typed = typeof payload === 'string' ? { prompt: payload } : payload;
  const own = parseJson(parameters?.trim() || '{}');
  if (!isObject(typed)) {
    throw new Error('Set msg.payload to the prompt, or to an object with a prompt.');
  }
  if (!isObject(own)) throw new Error('Open this node: its parameters must be a JSON object.');
  const { parameters: replaced = {}, ...rest } = typed;
  if (!isObject(replaced)) throw new Error('Set msg.payload.parameters to an object.');
  const order = { model, ...(mode && { mode }), ...rest, parameters: { ...own, ...replaced } };
  return order as unknown as CreateVideo & CreateImage;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The generation of a message: its generationId, its payload, or the node's. @throws Error if none. */
export function generationIdOf(fields: Fields, { payload, generationId }: Message): string {
  const inPayload = isObject(payload) ? payload['id'] : payload;
  for (const each of [generationId, inPayload, fields.generationId]) {
    if (typeof each === 'string' && each.startsWith('gen_')) return each;
  }
  throw new Error('Set msg.generationId to the ID of a generation, which begins with gen_.');
}

/** Paths of the files of a generation: `boat.png`, `boat-2.png`. @throws Error without a name. */
export function pathsOf(fields: Fields, { filename }: Message, count: number): string[] {
  const path = filename ?? fields.filename;
  if (typeof path === 'string' && path !== '') {
    const { dir, name, ext } = parse(path);
    const others = Array.from({ length: count - 1 }, (_, index) => `${name}-${index + 2}${ext}`);
    return [path, ...others.map((other) => join(dir, other))];
  }
  throw new Error('Set msg.filename to the path of the file, or enter it in this node.');
}
