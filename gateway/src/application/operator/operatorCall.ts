import type {
  BodyOf,
  OperatorOperationId,
  ParamsOf,
  QueryOf,
  ResponseOf,
  Writes,
} from '@framegate/contract/operator';
import type { Slot } from '@framegate/limits';
import type { OperatorKey } from '../../domain/accounts/operatorKey.ts';
import type { App } from '../app.ts';

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

/** A validated request of an operation. */
export interface OperatorInput<Id extends OperatorOperationId> {
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  call: OperatorWriteCall;
  /** Aborted when the client disconnects or the process stops. */
  signal: AbortSignal;
  /** Takes a slot for waits in exchange for the one of the call; null if none is free. */
  beginWait: () => Slot | null;
}

/** The use case of each operation, under the operation's name. */
export type OperatorUseCases = {
  readonly [Id in OperatorOperationId]: (
    deps: App,
    input: OperatorInput<Id>,
  ) => Promise<Writes<Id> extends true ? OperatorResponse : ResponseOf<Id>>;
};
