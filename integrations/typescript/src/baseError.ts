/** Known facts about an error. */
export interface ErrorContext {
  /** The generation, which continues at the service regardless of this call. */
  generationId?: string | undefined;
  /** Key of the create request; repeating the call with this key makes and charges nothing more. */
  idempotencyKey?: string | undefined;
  /** Whether a create request may have been accepted without a response. */
  mayHaveCreated?: boolean | undefined;
  cause?: unknown;
}

/** Base of all errors of this client. The message explains the cause and the remedy. */
export class FramegateError extends Error {
  override readonly name: string = 'FramegateError';
  /** For programs: a code of the API (docs/errors.md of the gateway), or one of this client. */
  readonly code: string;
  /** Whether the same call may succeed later unchanged. */
  readonly retryable: boolean = false;
  readonly generationId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly mayHaveCreated: boolean;

  constructor(code: string, message: string, about: ErrorContext = {}) {
    super(message + advice(about), 'cause' in about ? { cause: about.cause } : undefined);
    this.code = code;
    this.generationId = about.generationId;
    this.idempotencyKey = about.idempotencyKey;
    this.mayHaveCreated = about.mayHaveCreated === true;
  }
}

function advice({ generationId, idempotencyKey, mayHaveCreated }: ErrorContext): string {
  const key = idempotencyKey === undefined ? '' : `, idempotencyKey '${idempotencyKey}'`;
  if (generationId !== undefined) return ` Generation: ${generationId}${key}.`;
  if (mayHaveCreated !== true) return '';
  return ` The generation may have been created: the same call with idempotencyKey '${idempotencyKey ?? ''}' returns it and is not charged again.`;
}
