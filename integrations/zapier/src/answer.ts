/** The answer. A request without one (network, timeout) has the status 0. */
export interface Answer {
  status: number;
  /** The JSON object of the body, or null when it is none. */
  data: Record<string, unknown> | null;
  /** Code of the network error that kept an answer from arriving, such as `ENOTFOUND`. */
  networkCode: string | null;
  retryAfterSeconds: number | null;
  /** Whether the API repeated its first answer to this Idempotency-Key. */
  replayed: boolean;
  /** The server's clock, in ms: ages are counted by the clock that wrote `created_at`. */
  serverNowMs: number;
}
