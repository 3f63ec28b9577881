import type { CreateImage, CreateVideo } from '../../typescript/src/index.ts';

/** The fields of a node in the editor. */
export interface Fields {
  /** Id of the account's node. */
  account: string;
  model?: string;
  mode?: string;
  /** JSON. */
  parameters?: string;
  /** Empty for no limit. */
  maxCredits?: string;
  /** Whether a create also waits. */
  wait?: boolean;
  generationId?: string;
  filename?: string;
}

/** A message of a flow. */
export type Message = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The body of a create. A text in `msg.payload` is the prompt; an object replaces single fields of the node.
 * @throws Error for what is no order
 */
export function orderOf({ model, mode, parameters = '' }: Fields, { payload }: Message) {
  const given = typeof payload === 'string' ? { prompt: payload } : payload;
  if (!isObject(given)) {
    throw new Error('Set msg.payload to the prompt, or to an object with a prompt.');
  }
  const own = parameters.trim() === '' ? {} : parse(parameters);
  const replaced = given['parameters'] ?? {};
  if (!isObject(own) || !isObject(replaced)) {
    throw new Error('Parameters must be a JSON object, such as {"resolution": "720p"}.');
  }
  const order = { model, ...(mode !== undefined && { mode }), ...given };
  return { ...order, parameters: { ...own, ...replaced } } as unknown as CreateVideo & CreateImage;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The limit for the price of a create, in credits. @throws Error for what is no number */
export function maxCreditsOf(fields: Fields, message: Message): number | undefined {
  const given = message['maxCredits'] ?? fields.maxCredits ?? '';
  const limit = Number(given);
  if (limit >= 0) return given === '' ? undefined : limit;
  throw new Error('The limit of credits must be a number from 0: see this node and msg.maxCredits.');
}

/** The generation that a message is about: from `msg.generationId`, the payload or the node. @throws Error if none */
export function generationIdOf(fields: Fields, { payload, generationId }: Message): string {
  const inPayload = isObject(payload) ? payload['id'] : payload;
  for (const each of [generationId, inPayload, fields.generationId]) {
    if (typeof each === 'string' && each.startsWith('gen_')) return each;
  }
  throw new Error('Set msg.generationId to the id of a generation, which begins with gen_.');
}

/** Paths for the files of a generation: `boat.png`, `boat-2.png`. @throws Error without a name */
export function filesOf(fields: Fields, message: Message, count: number): string[] {
  const path = message['filename'] ?? fields.filename;
  if (typeof path !== 'string' || path === '') {
    throw new Error('Set msg.filename to the path of the file, or enter it in this node.');
  }
  const [, start = '', ending = ''] = /^(.*?)(\.[^./\\]*)?$/s.exec(path) ?? [];
  const numbered = (index: number) => `${start}-${index + 1}${ending}`;
  return Array.from({ length: count }, (_, index) => (index === 0 ? path : numbered(index)));
}
