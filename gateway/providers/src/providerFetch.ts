import { fetch } from 'undici';
import type { Dispatcher, RequestInit as UndiciInit, Response as UndiciResponse } from 'undici';
import { ByteLimit, causesOf, TransferFailure, type Hold } from '@framegate/limits';
import { currentCall, mayOrder, type Exchange, type ProviderCall } from './exchanges.ts';
import type { Dialect } from './dialect.ts';
import { holdBackInRehearsal } from './droppedParameters.ts';
import { pollUntilAnswered, type RequestOutcome } from './repeatedCalls.ts';
import { messageOf } from './providerFailures.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';
import { carriesKey, comesAfterLooks, requireApi, requireApiOrMedia } from './reachableHosts.ts';
import { RequestBlocked, parseRetryAfter, type ProviderHttp } from './providerHttp.ts';

/** Largest JSON answer to a submission or a poll, and most of an error that is kept, in bytes. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** Largest answer to an image call, in bytes: images may be base64. */
const maxImagesBytes = 256 * 1024 * 1024;
/** Bytes of an answer that are not counted, so that short answers do not wait for long ones. */
const uncountedBytes = 64 * 1024;
/** Largest file downloaded inside an image call, in bytes. */
const maxInnerBytes = 128 * 1024 * 1024;

/**
 * The `fetch` for packages. It applies rewritten origins, allows only public addresses and https unless
 * configured otherwise, opens a new connection for every submission, never follows a redirect, and records the
 * requests of the current call.
 *
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
    imageLooks,
  }: Partial<
    Pick<Dialect, 'resultStatus' | 'isVerdict' | 'submitUrl' | 'maxPollMib' | 'imageLooks'>
  > = {},
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const method = (init.method ?? 'GET').toUpperCase();
    holdBackInRehearsal(method, urlOf(input), init.body);
    const call = currentCall();
    const isLook = method === 'GET' || isImageLook(urlOf(input), call);
    const inner = isLook ? call?.inner : null;
    if (inner) return pollUntilAnswered(() => send(input, init, call), inner);
    const { response, error, exchange } = await send(input, init, call);
    const isUnreadable = (response?.status ?? 0) >= 500 && isVerdict?.(exchange) !== true;
    if (method === 'GET' && call?.purpose === 'poll' && isUnreadable && resultStatus) {
      // Sent with the same headers but recorded separately: the answer to the poll stays the result's.
      const url = resultStatus.urlOf(urlOf(input));
      const { exchange: status } = await send(url, init, { ...call, exchanges: [] });
      exchange.isFinished = resultStatus.isFinished(parseJson(status.body ?? ''));
    }
    if (response) return response;
    throw error;
  };

  function isImageLook(url: string, call: ProviderCall | undefined): boolean {
    if (call?.purpose !== 'images' || imageLooks === undefined) return false;
    return URL.parse(url)?.pathname.endsWith(imageLooks) === true;
  }

  function addressOf(url: string, method: string, call: ProviderCall | undefined): string {
    const model = call?.model ?? null;
    return method === 'GET' || model === null || !submitUrl ? url : submitUrl(url, model);
  }

  async function send(
    input: Parameters<typeof globalThis.fetch>[0],
    init: RequestInit,
    call: ProviderCall | undefined,
  ): Promise<RequestOutcome> {
    const method = (init.method ?? 'GET').toUpperCase();
    const given = addressOf(urlOf(input), method, call);
    const exchange: Exchange = {
      method,
      isLook: method !== 'GET' && isImageLook(given, call),
      host: URL.parse(given)?.host ?? '',
      sent: false,
      status: null,
      body: null,
      failure: null,
    };
    const orders = mayOrder(exchange);
    const earlier = [...(call?.exchanges ?? [])];
    call?.exchanges.push(exchange);
    try {
      const url = http.resolve(given);
      if (call?.purpose === 'poll' && (http.knowsApi || call.isTyped)) requireApi(http, given);
      if (call?.purpose === 'images' && !orders) {
        const hasKey = carriesKey(init, apiKey);
        exchange.isFile = !hasKey || comesAfterLooks(exchange, earlier);
        requireApiOrMedia(http, given, hasKey, earlier);
      }
      exchange.sent = true;
      const response = await fetch(url, {
        ...(await plainRequest(orders ? withReference(init, call, earlier) : init)),
        method,
        redirect: 'manual',
        dispatcher: orders ? sentOnce(http.dispatchers.submits) : http.dispatchers.polls,
      });
      exchange.status = response.status;
      exchange.mediaType = response.headers.get('content-type');
      exchange.retryAfterMs = parseRetryAfter(response.headers);
      const isStreamed = call?.purpose === 'images' && response.ok && orders;
      const maxJsonBytes =
        call?.purpose === 'poll' && maxPollMib ? maxPollMib * 1024 * 1024 : maxAnswerBytes;
      const maxBytes = call?.inner && !orders ? maxInnerBytes : maxJsonBytes;
      const pieces = limited(response, isStreamed ? maxImagesBytes : maxBytes, call?.hold);
      const read = isStreamed
        ? rebuild(response, ReadableStream.from(pieces))
        : await keepBody(response, exchange, pieces);
      return { exchange, response: read, error: null, isFinal: false };
    } catch (error) {
      exchange.sent &&= !http.neverConnected(error);
      exchange.failure = failureOf(error);
      const isFinal = error instanceof RequestBlocked || error instanceof TransferFailure;
      return { exchange, response: null, error, isFinal };
    }
  }
}

function urlOf(input: Parameters<typeof globalThis.fetch>[0]): string {
  return typeof input === 'object' && 'url' in input ? input.url : String(input);
}

/**
 * A dispatcher for one submission: undici's fetch repeats a request after 421, as the Fetch standard allows,
 * which could be a second order.
 */
function sentOnce(submits: Dispatcher): Dispatcher {
  let isSent = false;
  return submits.compose((dispatch) => (options, handler) => {
    if (isSent) throw new Error('the provider answered 421; a submission is sent once');
    isSent = true;
    return dispatch(options, handler);
  });
}

/**
 * Adds our reference to a request that creates work, so that the provider can recognise a repetition
 * (safeToRepeat).
 */
function withReference(
  init: RequestInit,
  call: ProviderCall | undefined,
  earlier: readonly Exchange[],
): RequestInit {
  if (!call?.reference) return init;
  const headers = new Headers(init.headers);
  const number = earlier.filter(mayOrder).length + 1;
  headers.set('idempotency-key', `${call.reference}-${String(number)}`);
  return { ...init, headers };
}

/**
 * The parts of a request that undici's own fetch accepts. The runtime's forms and blobs are not the package's
 * classes, so they are serialised first.
 */
async function plainRequest(init: RequestInit): Promise<UndiciInit> {
  const headers = new Headers(init.headers);
  const { body } = init;
  const signal = init.signal ?? null;
  if (body === undefined || body === null || typeof body === 'string') {
    return { headers: [...headers], body: body ?? null, signal };
  }
  const written = new Response(body);
  const contentType = written.headers.get('content-type');
  if (contentType && !headers.has('content-type')) headers.set('content-type', contentType);
  return { headers: [...headers], body: new Uint8Array(await written.arrayBuffer()), signal };
}

/** Reads the whole answer into the record, so that an interruption counts as a failure of this request. */
async function keepBody(
  response: UndiciResponse,
  exchange: Exchange,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Response> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pieces) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  // Pictures are useless as text.
  if (bytes.byteLength <= maxAnswerBytes && !isPicture(response)) {
    exchange.body = bytes.toString('utf8');
  }
  return rebuild(response, bytes.byteLength > 0 ? bytes : null);
}

function isPicture({ headers }: UndiciResponse): boolean {
  return /^(image|video)\//i.test(headers.get('content-type') ?? '');
}

/** The body in chunks, each once there is memory for it. */
async function* limited(
  response: UndiciResponse,
  maxBytes: number,
  hold: Hold | undefined,
): AsyncGenerator<Uint8Array> {
  const limit = new ByteLimit(maxBytes);
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    limit.count(chunk);
    const counted = Math.min(chunk.byteLength, limit.bytes - uncountedBytes);
    if (counted > 0) await hold?.take(counted);
    yield chunk;
  }
}

function rebuild(response: UndiciResponse, body: Uint8Array | ReadableStream | null): Response {
  const headers = new Headers([...response.headers]);
  // These headers describe the encoded bytes; the body is decoded.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const { status, statusText } = response;
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : body, { status, statusText, headers });
}

/** The innermost cause with its code; messages of undici and Node name hosts, never whole URLs. */
function failureOf(error: unknown): string {
  const reason = causesOf(error).at(-1) ?? error;
  const { code } = fieldsOf(reason);
  return [typeof code === 'string' ? code : '', messageOf(reason)].filter(Boolean).join(': ');
}
