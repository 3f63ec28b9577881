const about = {
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    "Create videos and images asynchronously, paid with your account's credits.",
    '',
    '1. Send `POST /videos` or `POST /images` with your API key and an `Idempotency-Key`. The response is 202 with a generation.',
    '2. Poll its `status_url`, waiting `retry_after_seconds` between requests, until `status` is `completed` or `failed`.',
    '3. Download the files at `output.urls`. These URLs need no key; when they expire, read the generation again to get new ones.',
    '',
    'A refused create request (4xx) creates and charges nothing, and its key can be used again. After a timeout, 500 or 503, send the same request with the same `Idempotency-Key`: at most one generation is created and charged. Failed generations are refunded; `billing.refunded_credits` is the amount.',
    '',
    'Unknown body fields are refused. Responses may gain new fields: ignore those you do not know. Paths not in this document return 404 `not_found`; unsupported methods return 405 `method_not_allowed` with an `Allow` header. `price_above_limit` (402) only applies to MCP agents with a credit limit.',
  ].join('\n'),
} as const;

/**
 * Title, description, licence and contact of the OpenAPI document.
 * @param name The product's name.
 * @param supportUrl Address of support: a page or a `mailto:` address.
 */
export function infoOf(name: string, supportUrl: string) {
  const { protocol, pathname } = new URL(supportUrl);
  const contact =
    protocol === 'mailto:'
      ? { name: 'Support', email: decodeURIComponent(pathname) }
      : { name: 'Support', url: supportUrl };
  return { title: `${name} API`, ...about, contact };
}
