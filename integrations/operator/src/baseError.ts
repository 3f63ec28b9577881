/** Known facts about an error. */
export interface ErrorContext {
  /** Key of the write; repeating the call with this key takes effect once. */
  idempotencyKey?: string | undefined;
  /** Whether the write may have taken effect without a response. */
  mayBeDone?: boolean | undefined;
  cause?: unknown;
}

/** Base of all errors of this client. The message explains the cause and the remedy. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** Code for programs, of the API or of this client. */
  readonly code: string;
  /** Whether the same call may succeed later unchanged. */
  readonly retryable: boolean = false;
  readonly idempotencyKey: string | undefined;
  readonly mayBeDone: boolean;

  constructor(code: string, message: string, about: ErrorContext = {}) {
    super(message + advice(about), 'cause' in about ? { cause: about.cause } : undefined);
    this.code = code;
    this.idempotencyKey = about.idempotencyKey;
    this.mayBeDone = about.mayBeDone === true;
  }
}

function advice({ idempotencyKey, mayBeDone }: ErrorContext): string {
  if (mayBeDone !== true) return '';
  return ` The write may have been completed: the same call with idempotencyKey '${idempotencyKey ?? ''}' returns its outcome and performs it only once.`;
}
