import { errorCodes, type ErrorCode, type ErrorBody } from '@framegate/contract';
import { Refusal } from '../domain/refusal.ts';

/** Seconds to wait where the refusal itself knows no better. */
const retryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  service_unavailable: 2,
  model_unavailable: 60,
  rate_limited: 1,
  concurrency_limited: 10,
};

/**
 * The refusal that a caller is answered with: itself; `service_unavailable` for a database that cannot be
 * reached; `internal_error`, without details, for a bug.
 */
export function refusalFor(
  error: unknown,
  isDatabaseTrouble: (error: unknown) => boolean,
): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseTrouble(error)) return new Refusal('service_unavailable');
  return new Refusal('internal_error');
}

/** HTTP status of a refusal, from the catalogue. */
export function statusOf(refusal: Refusal): number {
  return errorCodes[refusal.code].status;
}

/** Headers that belong to a refusal: its own, and what its code asks for. */
export function headersOf(refusal: Refusal): Record<string, string> {
  const seconds = refusal.retryAfterSeconds ?? retryAfterSeconds[refusal.code];
  return {
    ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
    ...(refusal.code === 'invalid_api_key' && { 'WWW-Authenticate': 'Bearer' }),
    ...refusal.headers,
  };
}

/** The body of a refusal; the order of its fields is the order on the wire. */
export function presentRefusal(refusal: Refusal, requestId: string): ErrorBody {
  const { type, retryable } = errorCodes[refusal.code];
  return {
    error: {
      type,
      code: refusal.code,
      message: refusal.message,
      param: refusal.param ?? refusal.details[0]?.param ?? null,
      request_id: requestId,
      retryable,
      details: [...refusal.details],
      ...(refusal.credits && { credits: refusal.credits }),
    },
  };
}
