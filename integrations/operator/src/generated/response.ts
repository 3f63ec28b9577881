/* Copied from integrations/typescript/src/response.ts by "npm run generate": do not edit. */

/** The answer that a result came with. */
export interface RawResponse {
  /** Tell it to support. */
  requestId: string | null;
  /** HTTP status. */
  status: number;
  headers: Headers;
  /** The body, as it came. */
  text: string;
}

const responses = new WeakMap<object, RawResponse>();

/** Keeps the answer of a result for as long as there is the result. */
export function keepResponse(result: object, response: RawResponse): void {
  responses.set(result, response);
}

/**
 * The answer that a result of this client came with: a generation, a list of models or a balance. After a
 * wait it is that of the last look. Undefined for other objects, copies included.
 */
export function responseOf(result: object): RawResponse | undefined {
  return responses.get(result);
}
