import type Joi from 'joi';
import type { AnyErrorCode } from './errorCodes.ts';
import type { OperatorScope } from './scopes.ts';

/** One operation of the operator API. */
export interface OperatorOperation {
  method: 'GET' | 'POST' | 'PUT';
  /** Path below the base URL, with parameters in braces. */
  path: `/${string}`;
  tag: string;
  scope: OperatorScope;
  summary: string;
  description: string;
  query?: Joi.ObjectSchema;
  body?: Joi.ObjectSchema;
  /** Set if it changes nothing although it has a body. All others with a body write, and need an Idempotency-Key. */
  isRead?: boolean;
  /** Whether a read shows prompts of customers, which the audit log notes. */
  showsPrompts?: boolean;
  /** Status of success. */
  status: 200 | 201 | 202;
  /** The media type of a response other than JSON. */
  media?: 'text/csv';
  response: Joi.Schema;
  /** The operation's own codes, in addition to those of every operation with its method. */
  refusals: readonly AnyErrorCode[];
}

/** Whether an operation writes. */
export const isWrite = ({ body, isRead }: OperatorOperation) =>
  body !== undefined && isRead !== true;

/** Codes of every operation. */
const always: readonly AnyErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'insufficient_scope',
  'address_not_allowed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

/** Codes of every operation with a body, and of every write. */
const bodyCodes: readonly AnyErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
];
const writeCodes: readonly AnyErrorCode[] = [
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'clock_wrong',
];

/** All codes that an operation may return. */
export function refusalsOfOperation(operation: OperatorOperation): AnyErrorCode[] {
  const { body, refusals } = operation;
  return [
    ...always,
    ...(body ? bodyCodes : []),
    ...(isWrite(operation) ? writeCodes : []),
    ...refusals,
  ];
}
