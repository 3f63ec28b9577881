import { createHash } from 'node:crypto';
import { type Dispatcher, request } from 'undici';
import { ByteLimit, causesOf, decodeBody, looksLikeText, TransferError } from '@framegate/limits';
import type { Dialect } from './dialect.ts';
import { holdBackInRehearsal } from './droppedParameters.ts';
import {
  currentCall,
  type Exchange,
  isAnswered,
  mayOrder,
  type ProviderCall,
} from './exchanges.ts';
import { shortMessageOf } from './providerFailures.ts';
import {
  parseRetryAfter,
  type ProviderHttp,
  readRequest,
  RequestBlockedError,
  withReference,
} from './providerHttp.ts';
import { carriesKey, comesAfterPolls, requireApi, requireApiOrMedia } from './reachableHosts.ts';
import { pollUntilAnswered, type RequestOutcome } from './repeatedCalls.ts';
import { ResponseOutline } from './responseOutline.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';

/** Largest JSON response to a submission or a poll, and largest kept part of an error, in bytes. */
const maxResponseBytes = 4 * 1024 * 1024;
/** Largest response to an image call, in bytes: images may be base64. */
const maxImagesBytes = 256 * 1024 * 1024;
/** Bytes of a response that are not counted, so that short responses do not wait for long ones. */
const uncountedBytes = 64 * 1024;
/** Largest file downloaded inside an image call, in bytes. */
const maxInnerBytes = 128 * 1024 * 1024;

/**
 * The `fetch` for packages. It applies rewritten origins, allows only public addresses and https unless configured
 * otherwise, opens a new connection for every submission, never follows a redirect, and records the requests of the
 * current call. It sends with undici's `request`, which takes a third of the processor time of undici's own `fetch`
 * and, unlike that (Fetch standard, after 421), never sends a request twice.
 * @param apiKey Distinguishes the provider's API from downloads: packages send the key only to the API.
 */
export function createProviderFetch(
  http: ProviderHttp,
  apiKey: string,
  {
    resultStatus,
    isVerdict,
    submitUrl,
    maxPollMib,
    imagePolls,
    fetchesNoFiles,
  }: Partial<Dialect> = {},
): typeof globalThis.fetch {
  // Packages pass URLs; a Request object is not one and is blocked.
  return async (input, init = {}) => {
    const requestUrl = (input as URL | string).toString();
    const method = (init.method ?? 'GET').toUpperCase();
    holdBackInRehearsal(method, requestUrl, init.body);
    const call = currentCall();
    const isPoll = method === 'GET' || isImagePoll(requestUrl, call);
    const inner = isPoll ? call?.inner : undefined;
    if (inner) return pollUntilAnswered(() => send(requestUrl, method, init, call), inner);
    const { response, error, exchange } = await send(requestUrl, method, init, call);
    const isUnreadable = isRefusedResult(response?.status) && isVerdict?.(exchange) !== true;
    const isEarly = resultStatus?.isTooEarly(parseJson(exchange.body ?? '')) === true;
    if (method === 'GET' && call?.purpose === 'poll' && isUnreadable && !isEarly && resultStatus) {
      // Sent with the same headers but recorded separately: the response to the poll stays the result's.
      const url = resultStatus.urlOf(requestUrl);
      const { exchange: status } = await send(url, method, init, { ...call, exchanges: [] });
      exchange.isFinished = resultStatus.isFinished(parseJson(status.body ?? ''));
    }
    if (response) return response;
    throw error;
  };

  function isImagePoll(url: string, call: ProviderCall | undefined): boolean {
    if (call?.purpose !== 'images' || imagePolls === undefined) return false;
    return URL.parse(url)?.pathname.endsWith(imagePolls) === true;
  }

  async function send(
    requestUrl: string,
    method: string,
    init: RequestInit,
    call: ProviderCall | undefined,
  ): Promise<RequestOutcome> {
    const orderedModel = method === 'GET' ? undefined : call?.model;
    const corrected =
      (orderedModel !== undefined && submitUrl?.(requestUrl, orderedModel)) || requestUrl;
    const exchange: Exchange = {
      method,
      isPoll: method !== 'GET' && isImagePoll(corrected, call),
      host: URL.parse(corrected)?.host ?? '',
      isSent: false,
      status: null,
      body: null,
      failure: null,
    };
    const orders = mayOrder(exchange);
    const earlier = [...(call?.exchanges ?? [])];
    call?.exchanges.push(exchange);
    try {
      const url = http.resolve(corrected);
      if (call?.purpose === 'poll' && (http.knowsApi || call.isTyped)) requireApi(http, corrected);
      if (call?.purpose === 'images' && !orders) {
        const hasKey = carriesKey(init, apiKey);
        exchange.isFile = !fetchesNoFiles && (!hasKey || comesAfterPolls(exchange, earlier));
        requireApiOrMedia(http, corrected, hasKey, earlier);
        if (exchange.isFile) exchange.file = { url: corrected };
      }
      exchange.isSent = true;
      const response = await request(url, {
        ...(await readRequest(orders ? withReference(init, call, earlier) : init, exchange)),
        method,
        dispatcher: http.dispatchers[orders ? 'submits' : exchange.isFile ? 'downloads' : 'polls'],
      });
      const headers = headersOf(response);
      exchange.status = response.statusCode;
      exchange.mediaType = headers.get('content-type');
      exchange.retryAfterMs = parseRetryAfter(headers);
      const isStreamed = call?.purpose === 'images' && isOk(response) && orders;
      const maxJsonBytes =
        call?.purpose === 'poll' && maxPollMib ? maxPollMib * 1024 * 1024 : maxResponseBytes;
      const maxBytes = call?.inner && !orders ? maxInnerBytes : maxJsonBytes;
      if (exchange.isFile && Number(headers.get('content-length')) > maxBytes) {
        response.body.on('error', () => undefined).destroy();
        throw new ByteLimit(maxBytes).tooLarge();
      }
      const pieces = limitBytes(readBody(response), isStreamed ? maxImagesBytes : maxBytes, call);
      const body = isStreamed
        ? ReadableStream.from(withOutline(exchange, pieces))
        : await keepBody(exchange, pieces);
      return {
        exchange,
        response: responseOf(response, headers, body),
        error: null,
        isFinal: false,
      };
    } catch (error) {
      exchange.isSent &&= !http.neverConnected(error);
      exchange.failure = failureOf(error);
      const isFinal = error instanceof RequestBlockedError || error instanceof TransferError;
      return { exchange, response: null, error, isFinal };
    }
  }
}

const isOk = ({ statusCode }: Dispatcher.ResponseData) => statusCode >= 200 && statusCode < 300;

function headersOf({ headers }: Dispatcher.ResponseData): Headers {
  const all = new Headers();
  for (const [name, values = []] of Object.entries(headers)) {
    for (const value of [values].flat()) all.append(name, value);
  }
  return all;
}

const readBody = ({ headers, body }: Dispatcher.ResponseData) =>
  decodeBody(body, headers['content-encoding']);

/** Statuses that say nothing about a result: about the key, about us, or about the moment. */
const inconclusiveStatuses: readonly number[] = [401, 403, 408, 425, 429];

/** Whether a status of failure concerns the result itself, so that the job may have ended without one. */
function isRefusedResult(status = 0): boolean {
  return status >= 400 && !inconclusiveStatuses.includes(status);
}

/** Reads the whole response into the record, so that an interruption counts as a failure of this request. */
async function keepBody(
  exchange: Exchange,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pieces) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  // Pictures are useless as text, even with a label of text.
  const isText = exchange.isFile
    ? looksLikeText(bytes.subarray(0, 512))
    : !/^(image|video)\//i.test(exchange.mediaType ?? '');
  if (bytes.byteLength <= maxResponseBytes && isText) exchange.body = bytes.toString('utf8');
  if (exchange.file && isAnswered(exchange)) {
    exchange.file.sha256 = createHash('sha256').update(bytes).digest('hex');
  }
  return bytes.byteLength > 0 ? bytes : null;
}

/** Passes on a response with pictures, and records its other fields. */
async function* withOutline(
  exchange: Exchange,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const outline = new ResponseOutline();
  for await (const chunk of pieces) {
    outline.add(chunk);
    yield chunk;
  }
  exchange.outline = outline.text();
}

/** The body in chunks, each once memory is available. */
async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { hold, recordAnswer: heard }: Partial<Pick<ProviderCall, 'hold' | 'recordAnswer'>> = {},
): AsyncGenerator<Uint8Array> {
  const limit = new ByteLimit(maxBytes);
  for await (const chunk of body) {
    limit.count(chunk);
    heard?.(chunk.byteLength);
    const counted = Math.min(chunk.byteLength, limit.bytes - uncountedBytes);
    if (counted > 0) await hold?.take(counted);
    yield chunk;
  }
}

function responseOf(
  { statusCode: status, statusText }: Dispatcher.ResponseData,
  headers: Headers,
  body: Uint8Array<ArrayBuffer> | ReadableStream | null,
): Response {
  // These headers describe the encoded bytes; the body is decoded.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : body, { status, statusText, headers });
}

/** The innermost cause with its code; messages of undici and Node name hosts, never whole URLs. */
function failureOf(error: unknown): string {
  const reason = causesOf(error).at(-1) ?? error;
  const { code } = fieldsOf(reason);
  return [typeof code === 'string' ? code : '', shortMessageOf(reason)].filter(Boolean).join(': ');
}
