import { APICallError, LoadAPIKeyError, LoadSettingError } from '@ai-sdk/provider';
import { pause } from './pause.ts';

/** How the provider is set up. */
export interface FramegateSettings {
  /** `fg_live_…`. Default: the environment's `FRAMEGATE_KEY`. */
  apiKey?: string | undefined;
  /** Address of the API, ending in `/v1`. Default: the environment's `FRAMEGATE_URL`. */
  baseURL?: string | undefined;
  /** Makes every request. Default: the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request to the API, not with downloads. */
  headers?: Record<string, string> | undefined;
}

/** The parts of a call to a model that concern its requests. */
export interface CallOptions {
  headers?: Record<string, string | undefined> | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** A generation as the API tells it; only what is used here. */
export interface Generation {
  id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  retry_after_seconds?: number;
  parameters: object;
  billing: object;
  output?: { urls: string[] };
  error?: { code: string; message: string; retryable: boolean };
}

/** An answer of the API. */
export interface Answer {
  generation: Generation;
  /** Key of the create, after a create. */
  key?: string;
  headers: Record<string, string>;
}

interface Refusal {
  code?: unknown;
  message?: unknown;
  request_id?: unknown;
}

/** Requests to one gateway. What fails is an APICallError. */
export interface Api {
  /**
   * Creates a generation. Without an Idempotency-Key of the caller's the error is retryable only where
   * nothing can have been made: a second create would have another key, and be paid, too. A success that
   * tells no generation is no answer, such as a page of a proxy: the same request is sent again, with its key.
   */
  create(path: 'videos' | 'images', body: object, options: CallOptions): Promise<Answer>;
  /** Reads a generation, by one request. Its errors name the id. */
  read(id: string, options: CallOptions): Promise<Answer>;
  /** Downloads an output, without the key. */
  download(url: string, options: Pick<CallOptions, 'abortSignal'>): Promise<Uint8Array>;
}

/** Opens the API. Settings are read at the first request, so that a missing one hinders no import. */
export function openApi(settings: FramegateSettings): Api {
  const send = async (url: string, init: RequestInit, body: object | undefined) => {
    const context = { url, requestBodyValues: body };
    try {
      const response = await (settings.fetch ?? globalThis.fetch)(url, init);
      return { response, bytes: new Uint8Array(await response.arrayBuffer()), context };
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      const message = `No answer from Framegate: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new APICallError({ ...context, message, cause, isRetryable: true });
    }
  };

  const call = async (
    path: string,
    init: RequestInit & { headers: Headers },
    { body, id }: { body?: object; id?: string },
  ): Promise<Answer> => {
    const { response, bytes, context } = await send(`${baseURL(settings)}/${path}`, init, body);
    const text = new TextDecoder().decode(bytes);
    const json = parse(text);
    const headers = Object.fromEntries(response.headers);
    if (response.ok && isGeneration(json, id)) return { generation: json, headers };
    const { status: statusCode } = response;
    throw new APICallError({
      ...context,
      statusCode,
      message:
        messageOf(statusCode, json) + aboutId(id ?? (response.ok ? idWithin(text) : undefined)),
      responseHeaders: headers,
      responseBody: text,
      // A reused key (409) stays so.
      ...(statusCode === 409 ? { isRetryable: false } : {}),
      // A page in place of a generation says nothing about it.
      ...(response.ok ? { isRetryable: true } : {}),
    });
  };

  return {
    async create(path, body, options) {
      const headers = headersOf(settings, options);
      const isCallers = headers.has('idempotency-key');
      if (!isCallers) headers.set('idempotency-key', crypto.randomUUID());
      headers.set('content-type', 'application/json');
      const text = JSON.stringify(body);
      const init = { method: 'POST', body: text, ...common(options), headers };
      const key = headers.get('idempotency-key') ?? '';
      try {
        const answer = await repeatedly(() => call(path, init, { body }), options);
        return { ...answer, key };
      } catch (error) {
        if (isCallers || !APICallError.isInstance(error) || isRefused(error)) throw error;
        const advice = `It may have been created: the same call with the header Idempotency-Key: ${key} is answered with it and not paid again.`;
        throw finalError(error, advice);
      }
    },
    read: (id, options) =>
      call(
        `generations/${encodeURIComponent(id)}`,
        { ...common(options), headers: headersOf(settings, options) },
        { id },
      ),
    async download(url, { abortSignal }) {
      const init = { signal: abortSignal ?? null };
      const { response, bytes, context } = await send(url, init, undefined);
      if (response.ok) return bytes;
      const { status: statusCode } = response;
      const message = `The download was answered with ${String(statusCode)}.`;
      throw new APICallError({ ...context, statusCode, message });
    },
  };
}

/** Pauses before a create is sent again that was answered by something else, in seconds. */
const pauses = [1, 2, 4];

/** Sends a create again, with its key, while a success comes that tells no generation. */
async function repeatedly(create: () => Promise<Answer>, options: CallOptions): Promise<Answer> {
  for (const seconds of pauses) {
    try {
      return await create();
    } catch (error) {
      const { statusCode = 0 } = APICallError.isInstance(error) ? error : {};
      if (statusCode < 200 || statusCode > 299) throw error;
      await pause(seconds, options);
    }
  }
  return create();
}

/** A redirect is not followed: the key belongs to one address. */
function common({ abortSignal }: CallOptions): RequestInit {
  return { redirect: 'manual', signal: abortSignal ?? null };
}

/** Refusals that come before anything is made. */
function isRefused({ statusCode = 0 }: APICallError): boolean {
  return statusCode >= 400 && statusCode < 500 && statusCode !== 408;
}

/** The error with more to say, and not to be tried again: another try would be another order. */
export function finalError(error: APICallError, advice: string): APICallError {
  return Object.assign(error, { message: `${error.message} ${advice}`, isRetryable: false });
}

function headersOf(settings: FramegateSettings, options: CallOptions): Headers {
  const headers = new Headers(settings.headers);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value !== undefined) headers.set(name, value);
  }
  headers.set('authorization', `Bearer ${apiKey(settings)}`);
  return headers;
}

function apiKey(settings: FramegateSettings): string {
  const key = settings.apiKey ?? fromEnvironment('FRAMEGATE_KEY');
  if (key !== undefined) return key;
  throw new LoadAPIKeyError({ message: 'Pass apiKey to createFramegate, or set FRAMEGATE_KEY.' });
}

function baseURL(settings: FramegateSettings): string {
  const url = settings.baseURL ?? fromEnvironment('FRAMEGATE_URL');
  if (url !== undefined) return url.replace(/\/+$/, '');
  throw new LoadSettingError({ message: 'Pass baseURL to createFramegate, or set FRAMEGATE_URL.' });
}

/** Not every runtime has an environment. */
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const idForm = 'gen_[0-9a-hjkmnp-tv-z]{26}';
const statuses: readonly unknown[] = ['queued', 'processing', 'completed', 'failed'];

/** Whether this is the generation that was asked for, or after a create any, in a known state. */
function isGeneration(json: unknown, asked: string | undefined): json is Generation {
  const { id, status, output, error, billing } = membersOf(json);
  if (typeof id !== 'string' || !statuses.includes(status)) return false;
  if (asked === undefined ? !new RegExp(`^${idForm}$`).test(id) : id !== asked) return false;
  if (status === 'failed') {
    return typeof membersOf(error)['code'] === 'string' && 'status' in membersOf(billing);
  }
  const { urls } = membersOf(output);
  return (
    status !== 'completed' || (Array.isArray(urls) && urls.every((url) => typeof url === 'string'))
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The id in an answer that is odd in other ways, or cut: what is paid must not get lost. */
function idWithin(text: string): string | undefined {
  return new RegExp(`"id"\\s*:\\s*"(${idForm})"`).exec(text)?.[1];
}

const aboutId = (id: string | undefined): string => (id === undefined ? '' : ` Generation: ${id}.`);

function messageOf(status: number, json: unknown): string {
  const error: Refusal = membersOf(membersOf(json)['error']);
  if (typeof error.message !== 'string') {
    return `Status ${String(status)} without an answer of Framegate: is the base URL right?`;
  }
  return `${error.message} (${textOf(error.code)}, ${textOf(error.request_id)})`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
