import {
  type AnyErrorCode,
  type ErrorBody,
  errorCodes,
  type ErrorDetail,
  errorEntry,
  type Log,
  operatorMessages,
} from '@framegate/contract';
import type { FeedRestored } from '@framegate/contract/operator';
import { Refusal } from '../domain/refusal.ts';
import { internalRefusals, isInternalCode, type RefusalCode } from '../domain/refusalCodes.ts';
import { describeRefusal } from '../texts/describeRefusal.ts';
import { isDisconnect } from './body.ts';
import { type HttpContext, type HttpMiddleware, sendJson } from './context.ts';

/** Dependencies of error responses. */
export interface ResponseDeps {
  log: Log;
  isDatabaseTrouble: (error: unknown) => boolean;
  /** Whether responses keep the operator API's contract instead of the public one. */
  isOperatorApi?: boolean;
}

/** Turns errors of later middleware into JSON error responses. Bugs are logged and answered as `internal_error`. */
export function respondToErrors(deps: ResponseDeps): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      sendError(ctx, error, deps);
    }
  };
}

/** Headers of the replaced body. */
const bodyHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Last-Modified',
  'Location',
  'Retry-After',
];

/** Logs an error and answers it unless the client has disconnected. */
export function sendError(ctx: HttpContext, error: unknown, deps: ResponseDeps): void {
  const { requestId } = ctx.state;
  logError(error, requestId, deps);
  if (ctx.headerSent || !ctx.writable) {
    ctx.res.destroy();
    return;
  }
  const refusal = refusalFor(error, deps.isDatabaseTrouble);
  ctx.state.refused = refusal.code;
  for (const name of bodyHeaders) ctx.res.removeHeader(name);
  ctx.res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headersOf(refusal))) ctx.res.setHeader(name, value);
  const body = presentRefusal(refusal, requestId, deps.isOperatorApi);
  sendJson(ctx, errorEntry(body.error.code).status, JSON.stringify(body));
}

/** Logs an error by severity; refusals appear in the access log only. */
export function logError(
  error: unknown,
  requestId: string,
  { log, isDatabaseTrouble }: ResponseDeps,
): void {
  if (error instanceof Refusal) return;
  const fields = { requestId, error };
  if (isDisconnect(error)) log.debug(fields, 'client disconnected');
  else if (isDatabaseTrouble(error)) log.warn(fields, 'database unreachable');
  else log.error(fields, 'request failed');
}

/** Default `Retry-After`, in seconds. */
const retryAfterSeconds: Partial<Record<RefusalCode, number>> = {
  service_unavailable: 2,
  clock_wrong: 30,
  model_unavailable: 60,
  rate_limited: 1,
  concurrency_limited: 10,
};

/**
 * Maps an error to a refusal: `service_unavailable` for database trouble, `internal_error` without
 * details for a bug.
 */
export function refusalFor(
  error: unknown,
  isDatabaseTrouble: (error: unknown) => boolean,
): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseTrouble(error)) return new Refusal('service_unavailable');
  return new Refusal('internal_error');
}

/** HTTP status of a refusal. */
export function statusOf(refusal: Refusal): number {
  const { code } = refusal;
  return isInternalCode(code) ? internalRefusals[code].status : errorEntry(code).status;
}

/** Headers of a refusal and of its error code. */
export function headersOf(refusal: Refusal): Record<string, string> {
  const seconds = refusal.retryAfterSeconds ?? retryAfterSeconds[refusal.code];
  return {
    ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
    ...(refusal.code === 'invalid_api_key' && { 'WWW-Authenticate': 'Bearer' }),
    ...refusal.headers,
  };
}

/** A detail of either API; only the operator API's can be without a field at fault. */
type AnyErrorDetail = Omit<ErrorDetail, 'param'> & { param: string | null };

/** An error body of either API. */
interface AnyErrorBody {
  error: Omit<ErrorBody['error'], 'code' | 'details'> & {
    code: AnyErrorCode;
    details: AnyErrorDetail[];
    restored?: FeedRestored;
  };
}

/**
 * Error body of a refusal. Fields are in wire order. A code that the contract does not publish is
 * a detail of the contract's code for its status: in the operator API always, in the public API if a field is at fault.
 */
export function presentRefusal(
  refusal: Refusal,
  requestId: string,
  isOperatorApi = false,
): AnyErrorBody {
  const code = contractCodeOf(refusal);
  const { type, retryable, message } = errorEntry(code);
  const own =
    isInternalCode(refusal.code) || refusal.problems.length > 0 ? describeRefusal(refusal) : null;
  const contractMessage =
    refusal.message === message && isOperatorApi ? operatorMessages[code] : undefined;
  const shownMessage = own ?? contractMessage ?? refusal.message;
  const isPublic = own === null && code in errorCodes;
  const ownDetails = isPublic ? [] : detailsOf(refusal, shownMessage);
  const details = [
    ...refusal.details,
    ...ownDetails.filter((each) => each.param !== null || (isOperatorApi && own !== null)),
  ];
  return {
    error: {
      type,
      code,
      message: shownMessage,
      param: refusal.param ?? details[0]?.param ?? null,
      request_id: requestId,
      retryable,
      details,
      ...(refusal.credits && { credits: refusal.credits }),
      ...(refusal.restored && { restored: refusal.restored }),
    },
  };
}

/** The contract's codes for statuses of refusals that it does not publish; for all others it is `invalid_request`. */
const codeOfStatus: Readonly<Partial<Record<number, AnyErrorCode>>> = {
  413: 'body_too_large',
  429: 'rate_limited',
  503: 'service_unavailable',
};

function contractCodeOf(refusal: Refusal): AnyErrorCode {
  const { code } = refusal;
  return isInternalCode(code) ? (codeOfStatus[statusOf(refusal)] ?? 'invalid_request') : code;
}

/** Refusals of single fields, or one whose code the public API does not have, as details. */
function detailsOf({ problems, param, code }: Refusal, message: string): AnyErrorDetail[] {
  if (problems.length > 0) {
    return problems.flatMap((each) => detailsOf(each, describeRefusal(each)));
  }
  return [{ param: param ?? null, code, message }];
}
