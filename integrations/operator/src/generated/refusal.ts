/* Copied from integrations/typescript/src/core/refusal.ts by "npm run generate": do not edit. */

import type { Error as Refusal, ErrorDetail } from '../generated/api.ts';
import { membersOf } from './json.ts';

/** The API's description of a refusal, with parts of the right types; null for any other body. */
export function parseRefusal(body: unknown): Refusal['error'] | null {
  const error = membersOf(membersOf(body)['error']);
  const { code, message, type, param, details, request_id: requestId } = error;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const isDetail = (each: unknown): each is ErrorDetail =>
    typeof each === 'object' && each !== null;
  return {
    ...error,
    code,
    message,
    type: typeof type === 'string' ? type : '',
    request_id: typeof requestId === 'string' ? requestId : '',
    param: typeof param === 'string' ? param : null,
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    retryable: error['retryable'] === true,
  };
}

/** A limit of something in front of the API. */
export const unexplainedLimit: Refusal['error'] = {
  type: 'rate_limit_error',
  code: 'rate_limited',
  message: 'Too many requests.',
  param: null,
  request_id: '',
  retryable: true,
  details: [],
};
