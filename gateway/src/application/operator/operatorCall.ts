import type { OperatorOperationId } from '@framegate/contract/operator';
import type { OperatorKey } from '../../domain/accounts/operatorKey.ts';

/** A call of an operation, authenticated and validated. */
export interface OperatorCall {
  operation: OperatorOperationId;
  key: OperatorKey;
  requestId: string;
  /** The caller's address. */
  address: string;
}

/** A call of an operation that writes. */
export interface OperatorWriteCall extends OperatorCall {
  /** Method and path as called; part of the Idempotency-Key's scope. */
  target: string;
  /** The Idempotency-Key header. */
  idempotencyKey: string | undefined;
  /** The body as sent. */
  body: unknown;
}

/** A response of the operator API. */
export interface OperatorResponse {
  status: number;
  /** JSON. */
  body: string;
  /** Whether it was already stored under the Idempotency-Key. */
  wasReplayed: boolean;
}
