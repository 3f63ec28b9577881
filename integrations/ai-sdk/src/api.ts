import { APICallError, LoadAPIKeyError, LoadSettingError } from '@ai-sdk/provider';
import { type CallOptions, presentIn } from './callOptions.ts';
import type { Generation } from './generated/api.ts';
import { baseUrlProblem, keyProblem } from './generated/connection.ts';
import { idWithin, isGeneration } from './generated/generationBody.ts';
import { parseJson } from './generated/json.ts';
import { noStore } from './generated/noStore.ts';
import { isRetryable } from './generated/retry.ts';
import { createRepeat } from './repeat.ts';
import { aboutId, describeResponse, maxImagesIn } from './response.ts';
import { userAgent } from './version.ts';

/** Options of the provider. */
export interface FramegateSettings {
  /** `fg_live_…`. Default: the environment's `FRAMEGATE_KEY`. */
  apiKey?: string | undefined;
  /** URL of the API, ending in `/v1`. Default: the environment's `FRAMEGATE_URL`. */
  baseURL?: string | undefined;
  /** Makes every request. Default: the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request to the API, not with downloads. */
  headers?: Record<string, string> | undefined;
}

/** A response of the API. */
export interface ApiResponse {
  generation: Generation;
  /** Key of the create request; only after a create request. */
  key?: string;
  headers: Record<string, string>;
}

/** Requests to one gateway. Failures are APICallErrors. */
export interface Api {
  /**
   * Creates a generation. When called by `ai`, a request without a response of the API, such as after 500, a lost
   * response or a proxy's page, is repeated with its key; `ai` itself repeats only creates with the caller's own key.
   * Other callers get the error immediately, because they may have a `fetch` that gives each request another key, as a
   * gateway does. When called by `ai`, all create requests of the provider wait out a limit (429) together. Without a
   * key of the caller's, the error is retryable only if nothing can have been made: a second create would have another
   * key and be charged again.
   * @param options.key Replaces the one in the headers.
   */
  create(
    path: 'videos' | 'images',
    body: object,
    options: CallOptions & { key?: string | undefined },
  ): Promise<ApiResponse>;
  /** How many images a model makes per call; undefined if the API does not state it. */
  findMaxImages(modelId: string): Promise<number | undefined>;
  /** Reads a generation with one request. Errors name the id. */
  read(id: string, options: CallOptions): Promise<ApiResponse>;
  /** Downloads an image, without the key. A page instead of the image is a temporary fault. */
  download(url: string, options: Pick<CallOptions, 'abortSignal'>): Promise<Uint8Array>;
}

/** Opens the API. Settings are read at the first request, so that a missing one does not break the import. */
export function openApi(settings: FramegateSettings): Api {
  let maxImages = new Map<string, number>();
  const repeat = createRepeat();

  const send = async (url: string, init: RequestInit, body?: object) => {
    const context = { url, requestBodyValues: body };
    try {
      const response = await (settings.fetch ?? globalThis.fetch)(url, { ...noStore, ...init });
      return { response, bytes: new Uint8Array(await response.arrayBuffer()), context };
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      const message = `No response from Framegate: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new APICallError({ ...context, message, cause, isRetryable: true });
    }
  };

  const call = async (
    path: string,
    init: RequestInit & { headers: Headers },
    { body, id }: { body?: object; id?: string },
  ): Promise<ApiResponse> => {
    const { response, bytes, context } = await send(`${baseURL(settings)}/${path}`, init, body);
    const text = new TextDecoder().decode(bytes);
    const json = parseJson(text);
    const headers = Object.fromEntries(response.headers);
    if (response.ok && isGeneration(json, id)) return { generation: json, headers };
    const { status: statusCode } = response;
    throw new APICallError({
      ...context,
      statusCode,
      message:
        describeResponse(statusCode, json) +
        aboutId(id ?? (response.ok ? idWithin(text) : undefined)),
      responseHeaders: headers,
      responseBody: text,
      // A page instead of a generation says nothing about the generation.
      isRetryable: response.ok || isRetryable(statusCode),
    });
  };

  return {
    async create(path, body, options) {
      const headers = headersOf(settings, options);
      if (options.key !== undefined) headers.set('idempotency-key', options.key);
      const isCallers = headers.has('idempotency-key');
      if (!isCallers) headers.set('idempotency-key', crypto.randomUUID());
      headers.set('content-type', 'application/json');
      const text = JSON.stringify(body);
      const init = { method: 'POST', body: text, ...common(options), headers };
      const key = headers.get('idempotency-key') ?? '';
      try {
        const keepsPace = isCalledByAi(options);
        const isOwn = keepsPace ? isUnanswered : never;
        const isUnknown = isCallers ? isNoResponse : isOwn;
        const plan = { ...options, isUnknown, keepsPace };
        return { ...(await repeat(() => call(path, init, { body }), plan)), key };
      } catch (error) {
        if (isCallers || !APICallError.isInstance(error) || isRefused(error)) throw error;
        const advice = `It may have been created: the same call with the header Idempotency-Key: ${key} returns it and is not charged again.`;
        throw finalError(error, advice);
      }
    },
    read: (id, options) =>
      call(
        `generations/${encodeURIComponent(id)}`,
        { ...common(options), headers: headersOf(settings, options) },
        { id },
      ),
    async findMaxImages(modelId) {
      if (!maxImages.has(modelId)) {
        const init = { headers: headersOf(settings, {}), redirect: 'manual' as const };
        const { bytes } = await send(`${baseURL(settings)}/models`, init);
        maxImages = maxImagesIn(parseJson(new TextDecoder().decode(bytes)));
      }
      return maxImages.get(modelId);
    },
    async download(url, { abortSignal }) {
      const init = { headers: { 'user-agent': userAgent() }, signal: abortSignal ?? null };
      const { response, bytes, context } = await send(url, init);
      const type = response.headers.get('content-type') ?? 'something else';
      if (response.ok && type.startsWith('image/')) return bytes;
      const { ok, status: statusCode } = response;
      const what = ok ? type : String(statusCode);
      const message = `The image download returned ${what}.`;
      throw new APICallError({ ...context, statusCode, message, ...(ok && { isRetryable: true }) });
    },
  };
}

const isCalledByAi = ({ headers }: CallOptions): boolean =>
  /\bai\/\d/.test(presentIn(headers)['user-agent'] ?? '');

const never = () => false;

/** A success without a generation. */
const isNoResponse = ({ statusCode = 0 }: APICallError) => statusCode >= 200 && statusCode < 300;

/** Whether it is a success without a generation, a fault of the service, or no response. */
function isUnanswered(error: APICallError): boolean {
  const { statusCode = 0 } = error;
  const isFault = isRetryable(statusCode) && statusCode !== 429;
  return isNoResponse(error) || statusCode === 0 || isFault;
}

/** Redirects are not followed: the key belongs to one host. */
function common({ abortSignal }: CallOptions): RequestInit {
  return { redirect: 'manual', signal: abortSignal ?? null };
}

/** Refusals that precede any work. */
function isRefused({ statusCode = 0 }: APICallError): boolean {
  return statusCode === 429 || (statusCode >= 400 && !isRetryable(statusCode));
}

/** The error with added advice, marked as not retryable: a retry would be another order. */
export function finalError(error: APICallError, advice: string): APICallError {
  return Object.assign(error, { message: `${error.message} ${advice}`, isRetryable: false });
}

function headersOf(settings: FramegateSettings, options: CallOptions): Headers {
  const headers = new Headers(settings.headers);
  for (const [name, value] of Object.entries(presentIn(options.headers))) headers.set(name, value);
  headers.set('user-agent', [userAgent(), headers.get('user-agent') ?? ''].join(' ').trim());
  headers.set('authorization', `Bearer ${apiKey(settings)}`);
  return headers;
}

function apiKey(settings: FramegateSettings): string {
  const key = settings.apiKey ?? fromEnvironment('FRAMEGATE_KEY');
  if (key === undefined) {
    throw new LoadAPIKeyError({ message: 'Pass apiKey to createFramegate, or set FRAMEGATE_KEY.' });
  }
  const problem = keyProblem(key, 'fg_live_');
  if (problem === null) return key;
  throw new LoadAPIKeyError({ message: `${problem} Copy it from your account's API keys page.` });
}

function baseURL(settings: FramegateSettings): string {
  const url = settings.baseURL ?? fromEnvironment('FRAMEGATE_URL');
  if (url === undefined) {
    const message = 'Pass baseURL to createFramegate, or set FRAMEGATE_URL.';
    throw new LoadSettingError({ message });
  }
  const base = url.trim().replace(/\/+$/, '');
  const problem = baseUrlProblem(base, '/v1');
  if (problem === null) return base;
  throw new LoadSettingError({ message: problem });
}

/** Not every runtime has environment variables. */
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
