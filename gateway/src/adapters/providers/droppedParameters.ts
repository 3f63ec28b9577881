import { AsyncLocalStorage } from 'node:async_hooks';

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

/** The most findings that one route remembers; then it begins anew. */
const maxRemembered = 500;

/** A package would leave promised parameters out of its request: nothing was sent. */
export class ParametersDropped extends Error {
  override readonly name = 'ParametersDropped';
  readonly parameters: readonly string[];

  constructor(parameters: readonly string[]) {
    super('a package would leave promised parameters out');
    this.parameters = parameters;
  }
}

/** The request that a rehearsed call wanted to send first; null: none that makes work. */
interface Rehearsal {
  request: string | null;
}

const rehearsals = new AsyncLocalStorage<Rehearsal>();

/** The options of a call to a package: `prompt` and the fields of the common interface. */
export type CallOptions = Readonly<Record<string, unknown>> & {
  readonly prompt?: string | undefined;
};

/**
 * Makes a check for promised parameters that a package would leave out of its request, before anything is
 * ordered: a request that is the same without a parameter does not carry it. The call is made with
 * its request held back, once as it is and once without each parameter. Packages warn of a dropped
 * parameter only after the order.
 *
 * @returns the check, which throws ParametersDropped. It remembers its findings for calls that differ
 *   in nothing but prompt, seed and the bytes of files.
 */
export function createParameterCheck<O extends CallOptions>(
  call: (options: O) => PromiseLike<unknown>,
): (options: O) => Promise<void> {
  const found = new Map<string, readonly string[]>();
  return async (options) => {
    const key = JSON.stringify(shapeOf(options));
    let dropped = found.get(key);
    if (dropped === undefined) {
      dropped = await droppedIn(options, call);
      if (found.size >= maxRemembered) found.clear();
      found.set(key, dropped);
    }
    if (dropped.length > 0) throw new ParametersDropped(dropped);
  };
}

async function droppedIn<O extends CallOptions>(
  options: O,
  call: (options: O) => PromiseLike<unknown>,
): Promise<string[]> {
  const request = await rehearse(() => call(options));
  const other = await rehearse(() => call({ ...options, prompt: `${options.prompt ?? ''}.` }));
  // What does not follow the prompt is not the order: a login, an upload.
  if (request === null || request === other) return [];
  const dropped: string[] = [];
  for (const name of promised) {
    const value = options[name];
    if (value === undefined || isMentioned(name, value, request)) continue;
    const without = await rehearse(() => call({ ...options, [name]: undefined }));
    if (without === request) dropped.push(name);
  }
  return dropped;
}

/** Whether a request has a plain value somewhere, so that a package's own default may be equal to it. */
function isMentioned(name: string, value: unknown, request: string): boolean {
  if (typeof value === 'object') return false;
  const hasPixels = /"(width|height)":|\d{3,4}[x*:]\d{3,4}/.test(request);
  // A size in pixels implies the ratio.
  return (name === 'aspectRatio' && hasPixels) || request.includes(JSON.stringify(value));
}

async function rehearse(call: () => PromiseLike<unknown>): Promise<string | null> {
  const rehearsal: Rehearsal = { request: null };
  try {
    await rehearsals.run(rehearsal, async () => call());
  } catch {
    // The request was held back, or the package refuses to make one: the real call will show.
  }
  return rehearsal.request;
}

/** Thrown into a package in place of sending its request. */
export class HeldBack extends Error {
  override name = 'HeldBack';
}

/**
 * Keeps a request back while its call is rehearsed. To be called before anything is sent.
 * @throws HeldBack within a rehearsal.
 */
export function holdBackInRehearsal(method: string, url: string, body: unknown): void {
  const rehearsal = rehearsals.getStore();
  if (!rehearsal) return;
  if (method !== 'GET') rehearsal.request ??= `${url} ${textOf(body)}`;
  throw new HeldBack('rehearsed, not sent');
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof FormData) {
    return JSON.stringify([...body].map(([key, value]) => [key, shapeOf(value)]));
  }
  return body instanceof Uint8Array ? Buffer.from(body).toString('base64') : '';
}

/** A signed URL or the bytes of a file: they differ in every request. */
function isOfOneRequest(text: string): boolean {
  return text.length > 200 || /^https?:/.test(text);
}

/** Options without what the findings do not depend on: prompt, seed and the bytes of files. */
function shapeOf(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Blob) return 'bytes';
  if (value instanceof AbortSignal) return undefined;
  if (typeof value === 'string') return isOfOneRequest(value) ? 'file' : value;
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !['prompt', 'seed', 'url'].includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, shapeOf(each)]));
}
