/** The response. A request without one (network, timeout) has the status 0. */
export interface ApiResponse {
  status: number;
  /** The JSON object of the body; null for any other body. */
  data: Record<string, unknown> | null;
  /** Code of the network error that kept a response from arriving, such as `ENOTFOUND`. */
  networkCode: string | null;
  retryAfterSeconds: number | null;
  /** Whether the API repeated its first response to this Idempotency-Key. */
  isReplayed: boolean;
  /** The server's clock, in ms: ages are measured by the clock that wrote `created_at`. */
  serverNowMs: number;
}
