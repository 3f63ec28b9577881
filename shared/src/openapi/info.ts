const about = {
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    'Create videos and images asynchronously, and pay with the credits of your account.',
    '',
    '1. Send `POST /videos` or `POST /images` with your API key and an `Idempotency-Key`. The answer is 202 with a generation.',
    '2. Read its `status_url`, each time after `retry_after_seconds`, until `status` is `completed` or `failed`.',
    '3. Download `output.urls`. They need no key; read the generation again for new ones when they have expired.',
    '',
    'A create that was refused (4xx) has created and charged nothing, and its key may be used again. After a timeout, 500 or 503 send the same request with the same `Idempotency-Key`: it creates and charges at most one generation. A failed generation is refunded: `billing.refunded_credits` is the amount.',
    '',
    'Unknown body fields are refused. Answers may get further fields: ignore those you do not know. Paths outside this document answer 404 `not_found`, other methods 405 `method_not_allowed` with an `Allow` header. `price_above_limit` (402) is for agents that come by MCP with a limit of credits.',
  ].join('\n'),
} as const;

/**
 * Title, description, licence and contact of the OpenAPI document.
 * @param name Of the product.
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
