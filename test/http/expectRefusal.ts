import { expect } from '@jest/globals';
import { type ErrorBody, type ErrorCode, errorCodes } from '@framegate/contract';
import type { RawResponse } from './rawRequest.ts';

/** The parts of a response that a refusal is judged by. */
export interface Refused {
  status: number;
  headers: { get(name: string): string | null };
  body: ErrorBody;
}

/** Reads a fetch response whole. */
export async function readRefusal(response: Response): Promise<Refused> {
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()) as ErrorBody,
  };
}

/** Reads a raw response. */
export function readRawRefusal({ status, headers, body }: RawResponse): Refused {
  return {
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    body: JSON.parse(body) as ErrorBody,
  };
}

/**
 * Checks a response against the promises of every refusal: our body, the order of fields, the request id, no
 * caching.
 */
export function expectRefusal(
  refused: Refused,
  code: ErrorCode,
  status: number = errorCodes[code].status,
): void {
  const { headers, body } = refused;
  expect(body.error.code).toBe(code);
  expect(refused.status).toBe(status);
  expect(Object.keys(body.error).slice(0, 7)).toEqual([
    'type',
    'code',
    'message',
    'param',
    'request_id',
    'retryable',
    'details',
  ]);
  expect(body.error.type).toBe(errorCodes[code].type);
  expect(body.error.retryable).toBe(errorCodes[code].retryable);
  expect(body.error.request_id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(headers.get('x-request-id')).toBe(body.error.request_id);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
}
