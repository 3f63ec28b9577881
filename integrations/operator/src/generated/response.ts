/* Copied from integrations/typescript/src/core/response.ts by "npm run generate": do not edit. */

/** The response that contained a result. */
export interface RawResponse {
  /** Give it to support. */
  requestId: string | null;
  /** HTTP status. */
  status: number;
  headers: Headers;
  /** The body as received. */
  text: string;
}

const responses = new WeakMap<object, RawResponse>();

/** Keeps a result's response for as long as the result exists. */
export function keepResponse(result: object, response: RawResponse): void {
  responses.set(result, response);
}

/**
 * The response that contained a result of this client: a generation, a list of models or a balance. After a wait it is
 * that of the last poll. Undefined for other objects, including copies.
 */
export function responseOf(result: object): RawResponse | undefined {
  return responses.get(result);
}
