import { type ErrorCode, errorCodes } from '../errorCodes.ts';
import { responseHeaders } from './headers.ts';

/** A response of an operation. */
export interface OperationResponse {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object; examples?: Record<string, object> }>;
}

type HeaderName = Parameters<typeof responseHeaders>[number];

/** Error codes of every operation with a key. */
const always: ErrorCode[] = [
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

const headersOfStatus: Readonly<Record<number, HeaderName[]>> = {
  401: ['WwwAuthenticate'],
  429: ['RetryAfter', 'RateLimit', 'RateLimitPolicy'],
  503: ['RetryAfter'],
};

/** A successful response with a JSON body. */
export function jsonResponse(
  description: string,
  schema: string,
  examples: readonly string[],
  ...headers: HeaderName[]
): OperationResponse {
  return {
    description,
    headers: responseHeaders(...headers),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: exampleReferences(examples),
      },
    },
  };
}

/** Error responses of an operation with a key, by status: its own codes and the common ones. */
export function refusals(...own: ErrorCode[]): Record<string, OperationResponse> {
  return refusalsOf([...own, ...always]);
}

/** Error responses with exactly these codes, by status. */
export function refusalsOf(codes: readonly ErrorCode[]): Record<string, OperationResponse> {
  const sorted = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => codes.includes(code));
  const byStatus = Map.groupBy(sorted, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [String(status), refusal(status, group)]),
  );
}

function refusal(status: number, codes: readonly ErrorCode[]): OperationResponse {
  const lines = codes.map((code) => `- \`${code}\`: ${errorCodes[code].message}`);
  return jsonResponse(lines.join('\n'), 'Error', codes, ...(headersOfStatus[status] ?? []));
}

function exampleReferences(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
}
