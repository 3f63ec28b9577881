import { APICallError, LoadAPIKeyError, LoadSettingError } from '@ai-sdk/provider';

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
  headers: Record<string, string>;
}

interface Refusal {
  code?: string;
  message?: string;
  request_id?: string;
}

/** Requests to one gateway. Each method makes exactly one, and throws an APICallError when it fails. */
export interface Api {
  /**
   * Creates a generation. Without an Idempotency-Key of the caller's the error is retryable only where
   * nothing can have been made: a second create would have another key, and be paid, too.
   */
  create(path: 'videos' | 'images', body: object, options: CallOptions): Promise<Answer>;
  /** Reads a generation. */
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
    body?: object,
  ): Promise<Answer> => {
    const { response, bytes, context } = await send(`${baseURL(settings)}/${path}`, init, body);
    const text = new TextDecoder().decode(bytes);
    const json = parse(text);
    const headers = Object.fromEntries(response.headers);
    if (response.ok && isGeneration(json)) return { generation: json, headers };
    const { status: statusCode } = response;
    throw new APICallError({
      ...context,
      statusCode,
      message: messageOf(statusCode, json),
      responseHeaders: headers,
      responseBody: text,
      // A reused key (409) stays so.
      ...(statusCode === 409 ? { isRetryable: false } : {}),
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
      try {
        return await call(path, init, body);
      } catch (error) {
        if (isCallers || !APICallError.isInstance(error) || isRefused(error)) throw error;
        const key = headers.get('idempotency-key') ?? '';
        const advice = `It may have been created: the same call with the header Idempotency-Key: ${key} is answered with it and not paid again.`;
        throw finalError(error, advice);
      }
    },
    read: (id, options) =>
      call(`generations/${encodeURIComponent(id)}`, {
        ...common(options),
        headers: headersOf(settings, options),
      }),
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

function isGeneration(json: unknown): json is Generation {
  return typeof json === 'object' && json !== null && 'id' in json && 'status' in json;
}

function messageOf(status: number, json: unknown): string {
  const { error = {} } = (json ?? {}) as { error?: Refusal };
  if (error.message === undefined) {
    return `Status ${String(status)} without an answer of Framegate: is the base URL right?`;
  }
  return `${error.message} (${error.code ?? ''}, ${error.request_id ?? ''})`;
}
