import { describe, expect, test } from '@jest/globals';
import { errorCodes, errorTypes } from './errorCodes.ts';
import { failureCodes } from './failureCodes.ts';

/** The codes of each status, on which customers' programs rely. */
const designed: Record<number, string> = {
  400: 'invalid_json invalid_request idempotency_key_missing idempotency_key_invalid input_url_invalid',
  401: 'invalid_api_key',
  402: 'insufficient_credits key_limit_reached price_above_limit',
  403: 'account_suspended input_host_not_approved',
  404: 'generation_not_found model_not_found not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_key_reused consent_required real_person_not_allowed content_policy_violation',
  429: 'rate_limited concurrency_limited',
  500: 'internal_error',
  503: 'model_unavailable service_unavailable clock_wrong',
};

describe('error codes', () => {
  test('have their documented statuses', () => {
    const found: Record<number, string> = {};
    for (const [code, { status }] of Object.entries(errorCodes)) {
      found[status] = found[status] === undefined ? code : `${found[status]} ${code}`;
    }
    for (const [status, codes] of Object.entries(designed)) {
      expect(found[Number(status)]?.split(' ').toSorted()).toEqual(codes.split(' ').toSorted());
    }
    expect(Object.keys(found)).toEqual(Object.keys(designed));
  });

  test('of failures are the documented ones', () => {
    expect(Object.keys(failureCodes)).toEqual([
      'input_unreachable',
      'input_invalid',
      'input_rejected',
      'output_rejected',
      'real_person_rejected',
      'capacity_exceeded',
      'generation_timeout',
      'generation_failed',
      'internal_error',
    ]);
  });

  const entries = [...Object.entries(errorCodes), ...Object.entries(failureCodes)];

  test.each(entries)('%s names the next step and no provider', (_, { message, type }) => {
    expect(errorTypes).toContain(type);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message.length).toBeGreaterThan(30);
    expect(message).not.toMatch(/provider|upstream|vendor|backend|mongo|agenda/i);
  });

  test('only problems that pass with time are retryable', () => {
    const retryable = Object.entries(errorCodes).filter(([, entry]) => entry.retryable);
    expect(retryable.every(([, { status }]) => status === 429 || status >= 500)).toBe(true);
    expect(retryable).toHaveLength(6);
  });
});
