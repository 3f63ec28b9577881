import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { type OpenApi, rowFromSchema, type Schema } from './rowFromSchema.ts';

/** The schemas that providers publish for their models. Replicate requires a token. */
const schemaUrls = {
  fal: (model: string) =>
    `https://fal.ai/api/openapi/queue/openapi.json?endpoint_id=${encodeURIComponent(model)}`,
  replicate: (model: string) => `https://api.replicate.com/v1/models/${model}`,
} as const;

const usage =
  'npm run generate -- rows --provider fal|replicate --model ID [--schema FILE] (REPLICATE_API_TOKEN for Replicate)';

/** Time limit for a provider's response, in ms. */
const fetchMs = 30_000;

/**
 * `npm run generate -- rows`: writes a row for a model of fal or Replicate from its published OpenAPI schema, or from
 * a saved copy, with its source and date.
 * @returns Exit status: 1 if the schema has gaps, which are then printed.
 */
export async function draftRow(words: readonly string[], today: string): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...words],
    options: { provider: text, model: text, schema: text },
  });
  const { provider = '', model = '', schema } = values;
  if (!(provider === 'fal' || provider === 'replicate') || model === '') throw new Error(usage);
  const source = schemaUrls[provider](model);
  const document = JSON.parse(
    schema === undefined ? await download(source) : await readFile(schema, 'utf8'),
  ) as unknown;
  const { type, does, send, open } = rowFromSchema(...inputOf(document, provider));
  const page = provider === 'fal' ? source : `https://replicate.com/${model}/api`;
  const row = { type, match: [model], does, send, source: page, readOn: today };
  const path = join(import.meta.dirname, `../gateway/providers/src/rows/${provider}.json`);
  const file = JSON.parse(await readFile(path, 'utf8')) as { rows: { match: string[] }[] };
  // The first match counts, so an exact row comes before those with patterns.
  const rows = [row, ...file.rows.filter(({ match }) => match.join() !== model)];
  const style = { ...(await resolveConfig(path)), filepath: path };
  await writeFile(path, await format(JSON.stringify({ ...file, rows }), style));
  console.log(`wrote a row for ${model}`);
  for (const each of open) console.log(`look up and add: ${each}`);
  return open.length > 0 ? 1 : 0;
}

async function download(url: string): Promise<string> {
  const token = process.env['REPLICATE_API_TOKEN'];
  const headers =
    url.includes('replicate.com') && token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(fetchMs) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

/** A document with the name of its input's schema. */
function inputOf(document: unknown, provider: 'fal' | 'replicate'): [OpenApi, string] {
  if (provider === 'replicate') {
    const { latest_version: version } = document as {
      latest_version?: { openapi_schema?: OpenApi };
    };
    return [version?.openapi_schema ?? (document as OpenApi), 'Input'];
  }
  const { paths = {} } = document as { paths?: Record<string, { post?: FalPost }> };
  const schemas = Object.values(paths).map(
    ({ post }) => post?.requestBody?.content?.['application/json']?.schema?.$ref,
  );
  const name = schemas.find((each) => each !== undefined)?.replace(/^.*\//, '');
  return [document as OpenApi, name ?? 'Input'];
}

interface FalPost {
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}
