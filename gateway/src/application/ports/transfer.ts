import type { Readable } from 'node:stream';

/**
 * A transfer ended without its file: the host could not be reached, answered something else or stopped
 * half-way (`unreachable`), or sent more than was allowed (`too_large`). The message is for logs only.
 */
export class TransferFailure extends Error {
  readonly kind: 'unreachable' | 'too_large';
  constructor(kind: 'unreachable' | 'too_large', message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Fetches a URL that a customer gave, through the guarded client: public addresses only, no redirects,
 * status 200 only, within its time. The stream may fail with TransferFailure, too.
 * @throws TransferFailure; the signal's reason when it is aborted.
 */
export type FetchUrl = (
  url: string,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<Readable>;
