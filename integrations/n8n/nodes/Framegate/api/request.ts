import type {
  IDataObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { baseUrlOf } from './baseUrl';

/** A node while it runs, or while its lists are filled. */
export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

/** A request to the API, always to the base URL of the credential. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  /** Below the base URL, such as `/models`. */
  path: string;
  body?: object;
  idempotencyKey?: string;
}

/** What came back; status 0 means that no answer arrived. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Why no answer arrived; only with status 0. */
  reason?: string;
}

/** Milliseconds until a request counts as unanswered. */
const requestTimeoutMs = 30_000;

/**
 * Sends one request with the credential's key. Redirects are not followed, so the key goes nowhere else.
 * @throws NodeOperationError when the base URL is not an address.
 */
export async function request(
  caller: Caller,
  { method, path, body, idempotencyKey }: ApiRequest,
  signal?: AbortSignal,
): Promise<ApiAnswer> {
  const { baseUrl } = await caller.getCredentials('framegateApi');
  const root = baseUrlOf(String(baseUrl ?? ''));
  if (root === undefined) {
    throw new NodeOperationError(caller.getNode(), 'The base URL of the credential is no address', {
      description:
        'Open the Framegate credential and enter the API address of your account, such as https://media.example.com/v1.',
    });
  }
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
    const answer = await helpers.httpRequestWithAuthentication.call(
      caller as IExecuteFunctions,
      'framegateApi',
      options,
    );
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  } catch (error) {
    return { status: 0, headers: {}, body: undefined, reason: reasonOf(error) };
  }
}

/** The cause in a few words, without the request and its key. */
function reasonOf(error: unknown): string {
  const messages: unknown = (error as { messages?: unknown }).messages;
  const original = Array.isArray(messages) ? messages.find((text) => typeof text === 'string') : '';
  return original || (error instanceof Error ? error.message : 'no answer');
}
