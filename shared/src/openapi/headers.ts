/** A header of a response. */
export interface Header {
  description: string;
  required?: boolean;
  schema: Record<string, unknown>;
  example?: string | number;
}

/** Headers of responses by name in `components.headers`. */
export const headers = {
  RequestId: {
    description: 'ID of this request. Include it when you contact support.',
    required: true,
    schema: { type: 'string' },
    example: 'req_01kagw2m5ejz4v8h6t0x9c3bqd',
  },
  Location: {
    description: 'Absolute URL of the generation, the same as status_url.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  RetryAfter: {
    description: 'Number of whole seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 20,
  },
  IdempotentReplayed: {
    description:
      'true if this is the stored response to an earlier request with the same Idempotency-Key and body: nothing new was created or charged.',
    schema: { type: 'string', enum: ['true'] },
  },
  RateLimit: {
    description:
      'Remaining quota of the limit that was reached: r requests, t seconds until it resets.',
    schema: { type: 'string' },
    example: '"creates";r=0;t=1',
  },
  RateLimitPolicy: {
    description: 'The limit that was reached: q requests per w seconds.',
    schema: { type: 'string' },
    example: '"creates";q=60;w=60',
  },
  WwwAuthenticate: {
    description: 'Bearer: send the API key.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  ETag: {
    description: 'Version of this document, for If-None-Match.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;

/** Names of the headers above on the wire. */
const names = {
  RequestId: 'X-Request-Id',
  Location: 'Location',
  RetryAfter: 'Retry-After',
  IdempotentReplayed: 'Idempotent-Replayed',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  WwwAuthenticate: 'WWW-Authenticate',
  ETag: 'ETag',
} as const satisfies Record<keyof typeof headers, string>;

/** `headers` of a response: the request id and the given ones. */
export function responseHeaders(
  ...own: (keyof typeof headers)[]
): Record<string, { $ref: string }> {
  const all: (keyof typeof headers)[] = ['RequestId', ...own];
  return Object.fromEntries(
    all.map((key) => [names[key], { $ref: `#/components/headers/${key}` }]),
  );
}

/** Idempotency-Key header of a create request. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A unique value for each new generation, such as a UUID: 1 to 255 visible ASCII characters, bare or in double quotes. For 7 days, repeating a key with the same body returns the first generation and charges nothing, even if its files have been deleted; a different body is refused. After a timeout, 500 or 503, send the same request with the same key.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '5f0c9a1e-6f9b-4a53-9f0e-2b7c1d3e4f50',
} as const;
