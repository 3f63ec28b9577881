import type { HttpRequestOptions } from 'zapier-platform-core';
import { parseBaseUrl } from './baseUrl.ts';
import { markAsUserFacing } from './errors.ts';
import { keyProblem } from './generated/connection.ts';
import { asObject } from './json.ts';
import type { ApiResponse } from './response.ts';
import { type Step, timeoutMs } from './step.ts';

/** One request to the API. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  /** Path below the base URL, such as `/models`; ids in it are already encoded. */
  path: string;
  body?: object;
  idempotencyKey?: string;
}

/** The key and the base URL of the connection. */
function connection({ z, bundle }: Step) {
  // authData is missing when Zapier runs some functions before an account is chosen.
  const authData = bundle.authData as Record<string, string> | undefined;
  try {
    return {
      baseUrl: parseBaseUrl(authData?.['base_url']),
      apiKey: (authData?.['api_key'] ?? '').trim(),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new z.errors.Error(error.message, 'base_url', 400);
    throw error;
  }
}

/**
 * Sends a request with the key to the base URL. Redirects are not followed, so that the key goes nowhere else. The body
 * is sent as bytes, because z.request refuses text with `{{bundle…}}` in it.
 * @throws z.errors.Error for an unusable connection; statuses are returned, not thrown.
 */
export async function ask(step: Step, request: ApiRequest): Promise<ApiResponse> {
  const { z } = step;
  const { baseUrl, apiKey } = connection(step);
  const problem = keyProblem(apiKey, 'fg_live_');
  if (problem !== null) {
    throw markAsUserFacing(
      new z.errors.ExpiredAuthError(
        `${problem} Copy it from your account's API keys page into the connection, under App Connections in Zapier.`,
      ),
    );
  }
  const options = {
    url: baseUrl + request.path,
    method: request.method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      ...(request.body && { 'content-type': 'application/json' }),
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
    },
    ...(request.body && { body: Buffer.from(JSON.stringify(request.body)) }),
    redirect: 'manual',
    timeout: timeoutMs(step),
    skipThrowForStatus: true,
  } satisfies HttpRequestOptions & { url: string };
  try {
    const response = await z.request<unknown>(options);
    return {
      status: response.status,
      data: asObject(response.data),
      networkCode: null,
      retryAfterSeconds: parseSeconds(response.getHeader('retry-after')),
      isReplayed: response.getHeader('idempotent-replayed') === 'true',
      serverNowMs: Date.parse(response.getHeader('date') ?? '') || step.nowMs(),
    };
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    return {
      status: 0,
      data: null,
      networkCode: error.code ?? null,
      retryAfterSeconds: null,
      isReplayed: false,
      serverNowMs: step.nowMs(),
    };
  }
}

function parseSeconds(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/** node-fetch uses this name for everything that keeps a response from arriving. */
export function isNetworkError(error: unknown): error is Error & { code?: string } {
  return error instanceof Error && (error.name === 'FetchError' || error.name === 'AbortError');
}
