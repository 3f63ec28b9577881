import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { testedPackages } from '../../gateway/providers/src/aiSdk/dialects.ts';
import {
  describe as describeApi,
  shippedNames,
} from '../../gateway/providers/src/http/describe.ts';
import { httpDialect } from '../../gateway/providers/src/http/httpDialect.ts';
import { arkDialect } from '../../gateway/providers/src/modelArk/modelArk.ts';
import { type ProviderRows, type Row, rowOf } from '../../gateway/providers/src/rows.ts';
import { packages } from '../../gateway/providers/test/packageFixtures.ts';
import { closeRoutes } from '../../gateway/providers/test/routeFixtures.ts';
import { requestsOfRow, type Sent } from './requestsOfRow.ts';

/* The requests of each row, checked against the vendor's own schema. */

/** The schema of a request, trimmed to required and sent fields. Objects with `properties` are closed. */
interface VendorSchema {
  models: string[];
  type: Row['type'];
  /** If they differ from the file's. */
  source?: string;
  readOn?: string;
  /** Fields that the package adds to every request, and that the vendor ignores. */
  added?: string[];
  body: AnySchemaObject;
}

interface SchemaFile {
  /** A package, `model-ark`, or the name of a shipped description. */
  provider: string;
  source: string;
  readOn: string;
  schemas: VendorSchema[];
}

/** Where each vendor publishes its models and requests: its pages, and its own packages. */
const published: Readonly<Record<string, readonly string[]>> = {
  '@ai-sdk/alibaba': ['https://www.alibabacloud.com/help/', 'https://pypi.org/project/dashscope/'],
  '@ai-sdk/black-forest-labs': ['https://github.com/black-forest-labs/', 'https://docs.bfl.ai/'],
  '@ai-sdk/fal': ['https://fal.ai/', 'https://www.npmjs.com/package/@fal-ai/'],
  '@ai-sdk/fireworks': ['https://docs.fireworks.ai/', 'https://pypi.org/project/fireworks-ai/'],
  '@ai-sdk/google': ['https://ai.google.dev/', 'https://www.npmjs.com/package/@google/'],
  '@ai-sdk/google-vertex': [
    'https://docs.cloud.google.com/',
    'https://www.npmjs.com/package/@google/',
  ],
  '@ai-sdk/openai': ['https://developers.openai.com/', 'https://www.npmjs.com/package/openai/'],
  '@ai-sdk/replicate': [
    'https://replicate.com/',
    'https://www.npmjs.com/package/all-the-public-replicate-models/',
  ],
  '@ai-sdk/xai': ['https://docs.x.ai/', 'https://pypi.org/project/xai-sdk/'],
  'model-ark': ['https://docs.byteplus.com/', 'https://pypi.org/project/byteplus-python-sdk-v2/'],
  dashscope: ['https://www.alibabacloud.com/help/'],
  luma: ['https://github.com/lumalabs/', 'https://www.npmjs.com/package/lumaai/'],
  novita: ['https://novita.ai/docs/'],
  pixverse: ['https://docs.platform.pixverse.ai/'],
  runway: ['https://github.com/runwayml/', 'https://www.npmjs.com/package/@runwayml/'],
  vidu: ['https://platform.vidu.com/docs/'],
};

const isPublished = (provider: string, source: string) =>
  published[provider]?.some((start) => source.startsWith(start)) === true;

const folder = new URL('vendorSchemas/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const files = readdirSync(folder)
  .filter((name) => name !== 'missing.json')
  .map((name) => read(name) as SchemaFile);

/** Every provider with rows, and its entry in a routes file. */
interface Provider {
  name: string;
  models: ProviderRows;
  entry: object;
}

const hosts = { mediaHosts: ['files.example'] };
const factories = new Map<string, object>(
  Object.values(packages).map(({ provider }) => [provider.package, provider]),
);
const providers: Provider[] = [
  ...Object.entries(testedPackages).map(([name, { dialect }]) => ({
    name,
    models: dialect.models,
    entry: { kind: 'ai-sdk', ...factories.get(name), ...hosts },
  })),
  {
    name: 'model-ark',
    models: arkDialect.models,
    entry: { kind: 'model-ark', baseURL: 'https://ark.example/api/v3', ...hosts },
  },
  ...shippedNames().flatMap((like) => {
    const entry = { kind: 'http', like, ...hosts };
    const { description } = describeApi(entry, []);
    return description ? [{ name: like, models: httpDialect(description).models, entry }] : [];
  }),
];

/** A schema whose objects have no other fields than it names. */
function closed(schema: unknown, added: readonly string[] = []): AnySchemaObject {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, added));
  if (typeof schema !== 'object' || schema === null) return schema as AnySchemaObject;
  const parts = Object.entries(schema).map(([name, part]) => [
    name,
    name === 'properties' ? mapped(part as object, added) : closed(part, added),
  ]);
  const object = Object.fromEntries(parts) as AnySchemaObject;
  if (!('properties' in object)) return object;
  const more = Object.fromEntries(added.map((name) => [name, true]));
  const properties = { ...more, ...(object['properties'] as object) };
  return { type: 'object', additionalProperties: false, ...object, properties };
}

const mapped = (properties: object, added: readonly string[]) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each, added)]));

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });

/** Problems of requests, each with the first order that shows it. */
function wrongIn(sent: readonly Sent[], { body, added }: VendorSchema): string[] {
  const validate = ajv.compile(closed(body, added));
  const wrong = new Map<string, string>();
  for (const { body: given, order } of sent) {
    if (validate(given)) continue;
    for (const { instancePath, message = '', params } of validate.errors ?? []) {
      const words = `${instancePath} ${message} ${JSON.stringify(params)}`;
      if (!wrong.has(words)) wrong.set(words, JSON.stringify(order));
    }
  }
  return [...wrong].map(([words, order]) => `${words} (${order})`);
}

afterAll(closeRoutes);

const cases = files.flatMap(({ provider, schemas }) =>
  schemas.flatMap((schema) =>
    schema.models.map((model) => ({ provider, model, schema, type: schema.type })),
  ),
);

test.each(cases)('$provider $model: each $type request is one of the vendor', async (given) => {
  const { provider: name, model, schema, type } = given;
  const provider = providers.find((each) => each.name === name);
  const row = provider && rowOf(provider.models, type, model);
  if (!provider || !row) throw new Error('no row');
  const sent = await requestsOfRow(provider.entry, model, row);
  expect(sent).not.toEqual([]);
  expect(wrongIn(sent, schema)).toEqual([]);
  expect(sent.filter(({ dropped }) => dropped.length > 0)).toEqual([]);
});

describe('the schemas', () => {
  const nameOf = (provider: Provider, row: Row) =>
    `${provider.name} ${row.type} ${row.match.join(' ')}`;
  const hasSchema = (provider: Provider, row: Row) =>
    cases.some(
      ({ provider: name, model, type }) =>
        name === provider.name && rowOf(provider.models, type, model) === row,
    );

  test('are taken from the vendor itself, on a day that they name', () => {
    const foreign = files.flatMap(({ provider, schemas, ...file }) =>
      schemas
        .map((schema) => ({ ...file, ...schema }))
        .filter(
          ({ source, readOn }) =>
            !isPublished(provider, source) || !/^\d{4}-\d\d-\d\d$/.test(readOn),
        )
        .map(({ models, source }) => [models, source]),
    );
    expect(foreign).toEqual([]);
  });

  /** Rows without a source of the vendor, with the reasons; the lists may only become shorter. */
  const missing = read('missing.json') as Record<'schema' | 'source', Record<string, string>>;
  const rowsWhere = (isWanted: (provider: Provider, row: Row) => boolean) =>
    providers.flatMap((provider) =>
      provider.models.rows
        .filter((row) => isWanted(provider, row))
        .map((row) => nameOf(provider, row)),
    );

  test('exist for each row, except those of a list with reasons', () => {
    const found = rowsWhere(
      (provider, row) => row.retired === undefined && !hasSchema(provider, row),
    );
    expect(found).toEqual(Object.keys(missing.schema));
  });

  test('also describe rows that come from the vendor, except those of a list with reasons', () => {
    const found = rowsWhere(({ name }, { source }) => !isPublished(name, source));
    expect(found).toEqual(Object.keys(missing.source));
  });
});
