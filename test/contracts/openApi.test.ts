import { describe, expect, test } from '@jest/globals';
import { errorCodes } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import {
  baseUrl,
  document,
  examples,
  operations,
  refName,
  schemaErrors,
  text,
} from './openApiDocument.ts';

describe('the OpenAPI document', () => {
  test('has its six operations', () => {
    expect(operations.map(([name, { operationId }]) => [name, operationId])).toEqual([
      ['post /videos', 'createVideo'],
      ['post /images', 'createImage'],
      ['get /generations/{id}', 'getGeneration'],
      ['get /models', 'listModels'],
      ['get /credits/balance', 'getCreditBalance'],
      ['get /openapi.json', 'getOpenApi'],
    ]);
  });

  test('is for version 3.1 and the public address', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: baseUrl }]);
  });

  test('requires a key everywhere except for itself', () => {
    expect(document.security).toEqual([{ ApiKey: [] }]);
    for (const [name, operation] of operations) {
      expect(operation.security).toEqual(name === 'get /openapi.json' ? [] : undefined);
    }
  });

  test('requires an Idempotency-Key only for creates', () => {
    const asking = operations.filter(([, operation]) =>
      operation.parameters?.some(({ name, required }) => name === 'Idempotency-Key' && required),
    );
    expect(asking.map(([name]) => name)).toEqual(['post /videos', 'post /images']);
  });

  test('resolves every reference', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    expect(references.length).toBe(text.split('"$ref"').length - 1);
    const components = document.components as Record<string, Record<string, unknown>>;
    for (const [, section = '', name = ''] of references) {
      expect(components[section]).toHaveProperty(name);
    }
  });

  test('names no provider and none of our libraries', () => {
    const names =
      /provider|upstream|\bfal\b|google|\bveo|replicate|alibaba|\bwan\b|xai|grok|openai|luma|byte(dance|plus)|seed(ance|ream)|\bark\b|runway|kling|minimax|mongo|agenda|koa|\bjoi\b/i;
    expect(names.exec(text)).toBeNull();
  });

  test('is the same for the same address', () => {
    expect(JSON.stringify(buildOpenApi({ baseUrl })) === text).toBe(true);
  });

  test('links to help and guides', () => {
    expect(document.info.contact).toEqual({ name: 'Support', url: 'https://api.example.com' });
    expect(document.externalDocs.url).toBe('https://api.example.com/docs');
    const own = buildOpenApi({
      baseUrl,
      siteUrl: 'https://www.example.com',
      supportUrl: 'mailto:help@example.com?subject=API',
    });
    expect(own.info.contact).toEqual({ name: 'Support', email: 'help@example.com' });
    expect(own.externalDocs.url).toBe('https://www.example.com/docs');
  });
});

describe('every response', () => {
  const responses = operations.flatMap(([name, { responses: own }]) =>
    Object.entries(own).map(
      ([status, response]) => [`${name} ${status}`, status, response] as const,
    ),
  );

  test.each(responses)('%s has its headers', (name, status, { headers }) => {
    const expected: Record<string, string[]> = {
      '401': ['WWW-Authenticate'],
      '429': ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
      '503': ['Retry-After'],
      '202': ['Location', 'Retry-After', 'Idempotent-Replayed'],
    };
    expect(headers).toHaveProperty('X-Request-Id');
    for (const header of expected[status] ?? []) expect(Object.keys(headers)).toContain(header);
    if (name === 'get /generations/{id} 200') expect(headers).toHaveProperty('Retry-After');
  });

  test.each(responses)('%s: its examples fit its schema', (_, status, { content }) => {
    const { schema, examples: named = {} } = content?.['application/json'] ?? {};
    if (schema === undefined || !('$ref' in schema)) return;
    expect(Object.keys(named).length).toBeGreaterThan(0);
    for (const reference of Object.values(named)) {
      const { value } = examples[refName(reference)] ?? {};
      expect(schemaErrors(refName(schema), value)).toBeNull();
      if (Number(status) >= 400) {
        const { code } = (value as { error: { code: keyof typeof errorCodes } }).error;
        expect(errorCodes[code].status).toBe(Number(status));
      }
    }
  });

  test('together they name every error code, except those of unknown paths and methods and of other interfaces', () => {
    const named = new Set(
      responses.flatMap(([, , { content }]) =>
        Object.keys(content?.['application/json'].examples ?? {}),
      ),
    );
    const missing = Object.keys(errorCodes).filter((code) => !named.has(code));
    expect(missing).toEqual(['price_above_limit', 'not_found', 'method_not_allowed']);
    expect(Object.keys(examples).filter((name) => missing.includes(name))).toEqual([]);
    for (const code of missing) expect(document.info.description).toContain(code);
  });

  test('may get further fields', () => {
    const balance = { ...(examples.balance?.value as object), reserved: 1 };
    expect(schemaErrors('CreditBalance', balance)).toBeNull();
    const error = {
      error: { ...(examples.rate_limited?.value as { error: object }).error, code: 'new', more: 1 },
    };
    expect(schemaErrors('Error', error)).toBeNull();
  });
});

describe('unions', () => {
  const unions = [
    ...text.matchAll(/"discriminator":\{"propertyName":"(\w+)","mapping":(\{.*?\})/g),
  ];

  test('are told apart by type and status, and by the unit of a price', () => {
    const fields = unions.map(([, field, mapping = '']) => [field, JSON.parse(mapping) as object]);
    const schema = (name: string) => `#/components/schemas/${name}`;
    const by = (kind: string) => ({
      queued: schema(`Pending${kind}`),
      processing: schema(`Pending${kind}`),
      completed: schema(`Completed${kind}`),
      failed: schema(`Failed${kind}`),
    });
    const prices = { second: schema('VideoPricing'), image: schema('ImagePricing') };
    expect(fields).toEqual([
      ['type', { video: schema('VideoGeneration'), image: schema('ImageGeneration') }],
      ['status', by('Images')],
      // Of today's price and of an announced one.
      ['per', prices],
      ['per', prices],
      ['status', by('Video')],
    ]);
  });

  const record = (name: string) => examples[name]?.value as Record<string, unknown>;
  const { output } = record('completed_video') as { output: Record<string, unknown> };
  const { output: images } = record('completed_image') as { output: Record<string, unknown> };
  test.each<[string, object]>([
    ['a completed one without files', { ...record('completed_video'), output: undefined }],
    ['a pending one without a hint', { ...record('queued'), retry_after_seconds: undefined }],
    ['a failed one without a reason', { ...record('failed'), error: undefined }],
    [
      'images without URLs',
      { ...record('completed_image'), output: { ...images, image_urls: undefined } },
    ],
    ['a video with the parameters of images', { ...record('queued'), type: 'image' }],
    ['an unknown status', { ...record('queued'), status: 'gone' }],
  ])('%s fits no schema', (_, value) => {
    expect(schemaErrors('Generation', JSON.parse(JSON.stringify(value)))).not.toBeNull();
  });

  test('a video whose file is deleted fits', () => {
    const deleted = {
      urls: [],
      expires_at: output['expires_at'],
      deleted_at: output['expires_at'],
    };
    const value = { ...record('completed_video'), output: deleted };
    expect(schemaErrors('Generation', value)).toBeNull();
  });
});
