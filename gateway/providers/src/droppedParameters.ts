import { AsyncLocalStorage } from 'node:async_hooks';
import { setWithin } from '@framegate/limits';

/** Fields of the common interface that are billed or promised to the customer; seed and fps are not. */
const promised = [
  'aspectRatio',
  'resolution',
  'size',
  'duration',
  'generateAudio',
  'image',
  'frameImages',
  'inputReferences',
  'files',
] as const;

/** Maximum findings remembered per route. */
const maxRemembered = 500;

/** A package would omit promised parameters from its request; nothing was sent. */
export class ParametersDroppedError extends Error {
  override readonly name = 'ParametersDroppedError';
  readonly parameters: readonly string[];

  constructor(parameters: readonly string[]) {
    super('a package would omit promised parameters');
    this.parameters = parameters;
  }
}

/** A request that was held back instead of being sent. */
export interface RehearsedRequest {
  method: string;
  url: string;
  body: string;
}

/** The first request of a rehearsed call; null if none creates work. */
interface Rehearsal {
  request: RehearsedRequest | null;
}

const rehearsals = new AsyncLocalStorage<Rehearsal>();

/** The options of a call to a package: `prompt`, the fields of the common interface, the provider's own options. */
export type CallOptions = Readonly<Record<string, unknown>> & {
  readonly prompt?: string | undefined;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/**
 * Creates a check for promised parameters that a package would omit from its request, before anything is ordered: a
 * request that is the same without a parameter does not carry it. The call is rehearsed with its request held back,
 * once unchanged and once without each parameter. Packages warn about a dropped parameter only after the order.
 * @param own The provider's own options that carry promises.
 * @returns The check, which throws ParametersDroppedError. It remembers findings for calls that differ only in prompt,
 * seed and the bytes of files.
 */
export function createParameterCheck<O extends CallOptions>(
  call: (options: O) => PromiseLike<unknown>,
  own: readonly string[] = [],
): (options: O) => Promise<void> {
  const droppedByShape = new Map<string, readonly string[]>();
  return async (options) => {
    const key = JSON.stringify(shapeOf(options));
    let dropped = droppedByShape.get(key);
    if (dropped === undefined) {
      dropped = await findDropped(options, call, own);
      setWithin(droppedByShape, key, dropped, maxRemembered);
    }
    if (dropped.length > 0) throw new ParametersDroppedError(dropped);
  };
}

async function findDropped<O extends CallOptions>(
  options: O,
  call: (options: O) => PromiseLike<unknown>,
  own: readonly string[],
): Promise<string[]> {
  const makeText = async (variant: O) => {
    const rehearsed = await rehearse(() => call(variant));
    return rehearsed && `${rehearsed.url} ${rehearsed.body}`;
  };
  const request = await makeText(options);
  const other = await makeText({ ...options, prompt: `${options.prompt ?? ''}.` });
  // A request that is independent of the prompt is not the order but a login or an upload.
  if (request === null || request === other) return [];
  const dropped: string[] = [];
  for (const { name, value, changedTo } of optionParts(options, own)) {
    if (value === undefined || isMentioned(name, value, request)) continue;
    if ((await makeText(changedTo(undefined))) !== request) continue;
    // A switch that equals the package's own default matters only when it is flipped.
    if (typeof value === 'boolean' && (await makeText(changedTo(!value))) !== request) continue;
    dropped.push(name);
  }
  return dropped;
}

/** The promised parts of a call, each with the call with another value of it. */
function optionParts<O extends CallOptions>(options: O, own: readonly string[]) {
  const [[dialect, ours] = ['', {}]] = Object.entries(options.providerOptions ?? {});
  return [
    ...promised.map((name) => ({
      name,
      value: options[name],
      changedTo: (other: unknown): O => ({
        ...options,
        [name]: name === 'frameImages' ? withoutLast(options[name]) : other,
      }),
    })),
    ...own.map((name) => ({
      name,
      value: ours[name],
      changedTo: (other: unknown): O => ({
        ...options,
        providerOptions: { [dialect]: { ...ours, [name]: other } },
      }),
    })),
  ];
}

/** The frames of a call without the last one: the first may be sent where the other is not. */
function withoutLast(frames: unknown): unknown {
  return Array.isArray(frames) && frames.length > 1 ? frames.slice(0, -1) : undefined;
}

/** Whether a request contains a plain value somewhere; a package's own default may be equal to it. */
function isMentioned(name: string, value: unknown, request: string): boolean {
  if (typeof value === 'object' || typeof value === 'boolean') return false;
  const hasPixels = /"(width|height)":|\d{3,4}[x*:]\d{3,4}/.test(request);
  // A size in pixels implies the ratio.
  return (name === 'aspectRatio' && hasPixels) || request.includes(JSON.stringify(value));
}

/** The first request of a call that would create work, held back; null if the call makes none. */
export async function rehearse(call: () => PromiseLike<unknown>): Promise<RehearsedRequest | null> {
  const rehearsal: Rehearsal = { request: null };
  try {
    await rehearsals.run(rehearsal, async () => call());
  } catch {
    // The request was held back, or the package refuses to build one, as the real call will show.
  }
  return rehearsal.request;
}

/** Thrown into a package instead of sending its request. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/**
 * Holds back a request while its call is rehearsed. Call before anything is sent.
 * @throws NotSentError within a rehearsal.
 */
export function holdBackInRehearsal(method: string, url: string, body: unknown): void {
  const rehearsal = rehearsals.getStore();
  if (!rehearsal) return;
  if (method !== 'GET') rehearsal.request ??= { method, url, body: bodyText(body) };
  throw new NotSentError('rehearsed, not sent');
}

function bodyText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof FormData) {
    return JSON.stringify([...body].map(([key, value]) => [key, shapeOf(value)]));
  }
  return body instanceof Uint8Array ? Buffer.from(body).toString('base64') : '';
}

/** Whether a string is a signed URL or a file's bytes, which differ in every request. */
function isOfOneRequest(text: string): boolean {
  return text.length > 200 || /^https?:/.test(text);
}

/** Options without prompt, seed and the bytes of files, on which findings do not depend. */
function shapeOf(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Blob) return 'bytes';
  if (value instanceof AbortSignal) return undefined;
  if (typeof value === 'string') return isOfOneRequest(value) ? 'file' : value;
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  const lasting = Object.entries(value).filter(([key]) => !['prompt', 'seed', 'url'].includes(key));
  return Object.fromEntries(lasting.map(([key, each]) => [key, shapeOf(each)]));
}
