import {
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  NodeOperationError,
} from 'n8n-workflow';
import { apiKeyAdvice, parseApiKey } from './apiKey';
import { baseUrlAdvice, parseBaseUrl } from './baseUrl';

/** A running node, or one whose lists are being filled. */
export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

/** A request to the API, always to the base URL of the credential. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  /** Below the base URL, such as `/models`. */
  path: string;
  body?: object;
  idempotencyKey?: string;
}

/** The response; status 0 means that none arrived. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Why no response arrived; only with status 0. */
  reason?: string;
  /** Whether the request was never sent for lack of a connection; only with status 0. */
  wasNeverSent?: boolean;
}

/** Time limit of a request, in ms. */
const requestTimeoutMs = 30_000;

/**
 * Sends one request with the credential's key. Redirects are not followed, so the key goes nowhere else.
 * @throws NodeOperationError if there is no key, or it may not be sent to the base URL.
 */
export async function request(
  caller: Caller,
  { method, path, body, idempotencyKey }: ApiRequest,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  const root = await apiRoot(caller);
  const options: IHttpRequestOptions = {
    method,
    url: root + path,
    headers: { ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) },
    ...(body !== undefined && { body: body as IDataObject }),
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
    timeout: requestTimeoutMs,
    ...(signal && { abortSignal: signal }),
  };
  try {
    const { helpers } = caller as IExecuteFunctions;
    const response = await helpers.httpRequestWithAuthentication.call(
      caller as IExecuteFunctions,
      'framegateApi',
      options,
    );
    return { status: response.statusCode, headers: response.headers, body: response.body };
  } catch (error) {
    const wasNeverSent = codesOf(error).some((code) => noConnection.has(code));
    return { status: 0, headers: {}, body: undefined, reason: reasonOf(error), wasNeverSent };
  }
}

/**
 * The base URL of the credential, whose key is checked as well: n8n adds it where errors look like lost connections.
 * @throws NodeOperationError if there is no key, or it may not be sent there.
 */
export async function apiRoot(caller: Caller): Promise<string> {
  const { baseUrl, apiKey } = await caller.getCredentials('framegateApi');
  const orExplain = <T>(read: () => T, description: string): T => {
    try {
      return read();
    } catch (error) {
      // n8n shows the message as a title.
      const title = (error as Error).message.replace(/\.$/, '');
      throw new NodeOperationError(caller.getNode(), title, { description });
    }
  };
  orExplain(() => parseApiKey(apiKey), apiKeyAdvice);
  return orExplain(() => parseBaseUrl(baseUrl), baseUrlAdvice);
}

/** Codes of errors before the first byte of a request: no host, no route, no handshake. */
const noConnection = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  ...['ERR_INVALID_URL', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]);

/** Maximum depth to which n8n and its libraries wrap an error. */
const maxCauses = 5;

/** The codes of an error and of its causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at: unknown = error;
  for (let depth = 0; depth < maxCauses && typeof at === 'object' && at !== null; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (typeof code === 'string') codes.push(code);
    at = cause;
  }
  return codes;
}

/** The cause as a short phrase, without the request and its key. */
function reasonOf(error: unknown): string {
  const messages: unknown = (error as { messages?: unknown }).messages;
  const original = Array.isArray(messages) ? messages.find((text) => typeof text === 'string') : '';
  return original || (error instanceof Error ? error.message : 'no response');
}
