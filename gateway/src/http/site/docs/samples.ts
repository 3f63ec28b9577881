import { quoteForShell } from '../../../domain/text/quoteForShell.ts';
import {
  type ApiDocument,
  type Content,
  type DocumentedOperation,
  operationsOf,
  resolveExample,
} from './apiDocument.ts';
import { n8nSample, type SampleRequest } from './n8nSample.ts';

/** Languages of samples with their Markdown tags. */
export const sampleLanguages = [
  { name: 'curl', mark: 'sh' },
  { name: 'TypeScript', mark: 'ts' },
  { name: 'Python', mark: 'python' },
  { name: 'n8n', mark: 'json' },
] as const;

/** A language of samples. */
export type SampleLanguage = (typeof sampleLanguages)[number]['name'];

/** One call in several languages. */
export type Samples = Partial<Record<SampleLanguage, string>>;

/** A titled call, such as "From text alone". */
export interface CallSamples {
  title: string;
  samples: Samples;
}

/** Calls of an operation: one for each example body, or a single one. */
export function callsOf(api: ApiDocument, place: DocumentedOperation): CallSamples[] {
  const { operation } = place;
  const bodies = examplesOf(api, operation.requestBody?.content['application/json']);
  if (bodies.length === 0) {
    return [{ title: operation.summary ?? 'Call', samples: samplesOf(api, place, undefined) }];
  }
  return bodies.map(({ title, value }) => ({ title, samples: samplesOf(api, place, value) }));
}

/** Resolved examples with their titles. */
export function examplesOf(
  api: ApiDocument,
  content: Content | undefined,
): { title: string; value: unknown }[] {
  return Object.entries(content?.examples ?? {}).map(([name, example]) => {
    const { summary, value } = resolveExample(api, example);
    return { title: summary ?? name.replaceAll('_', ' '), value };
  });
}

/** Samples of a call with the given body. @throws Error for an unknown operation. */
export function samplesFor(api: ApiDocument, operationId: string, body: unknown): Samples {
  const place = operationsOf(api).find(({ operation }) => operation.operationId === operationId);
  if (!place) throw new Error(`no operation ${operationId}`);
  return samplesOf(api, place, body);
}

function samplesOf(api: ApiDocument, place: DocumentedOperation, body: unknown): Samples {
  const baseUrl = api.servers[0]?.url ?? '';
  const { operationId } = place.operation;
  const request = { baseUrl, body, id: exampleIdOf(place) };
  const typescript = typescriptCalls[operationId];
  const python = pythonCalls[operationId];
  const n8n = n8nSample(operationId, request);
  return {
    curl: curl(baseUrl, place, body),
    ...(typescript && { TypeScript: typescriptSample(baseUrl, typescript(request)) }),
    ...(python && { Python: pythonSample(baseUrl, python(request)) }),
    ...(n8n !== null && { n8n }),
  };
}

type Calls = Readonly<Record<string, (request: SampleRequest) => string>>;

/** TypeScript code after the creation of `framegate`. */
const typescriptCalls: Calls = {
  createVideo: ({ body }) => `const video = await framegate.videos.createAndWait(
  ${literalFor('TypeScript', body, 1)},
  // Your order ID: a repeated call returns the same generation and is not charged again.
  { idempotencyKey: 'order-1042' },
);
console.log(video.billing.cost_credits, video.output.video_url);
await video.download('video.mp4');`,
  createImage: ({ body }) => `const images = await framegate.images.createAndWait(
  ${literalFor('TypeScript', body, 1)},
  { idempotencyKey: 'order-1043' },
);
console.log(images.billing.cost_credits, images.output.image_urls);
await images.download('image-1');`,
  getGeneration: ({ id }) => `const generation = await framegate.generations.get('${id}');
console.log(generation.status, generation.retry_after_seconds);`,
  listModels: () => `for (const model of await framegate.models.list()) {
  console.log(model.id, model.capabilities.resolutions, model.pricing.credits);
}`,
  getCreditBalance: () => `const { available, in_flight } = await framegate.credits.balance();
console.log(available, in_flight);`,
};

function typescriptSample(baseUrl: string, call: string): string {
  return `import { Framegate } from '@framegate/client';

// The key comes from the environment: FRAMEGATE_KEY.
const framegate = new Framegate({ baseUrl: '${baseUrl}' });

${call}`;
}

/** Python code after the creation of `client`. */
const pythonCalls: Calls = {
  createVideo: ({ body }) => `video = client.videos.create_and_wait(
${pythonArguments(body)}
    # Your order ID: a repeated call returns the same generation and is not charged again.
    idempotency_key="order-1042",
)
print(video.billing.cost_credits, video.output.video_url)
video.download("video.mp4")`,
  createImage: ({ body }) => `images = client.images.create_and_wait(
${pythonArguments(body)}
    idempotency_key="order-1043",
)
print(images.billing.cost_credits, images.output.image_urls)
images.download("image-1")`,
  getGeneration: ({ id }) => `generation = client.generations.get("${id}")
print(generation.status, generation.retry_after_seconds)`,
  listModels: () => `for model in client.models.list():
    print(model.id, model.capabilities.resolutions, model.pricing.credits)`,
  getCreditBalance: () => `balance = client.credits.balance()
print(balance.available, balance.in_flight)`,
};

function pythonSample(baseUrl: string, call: string): string {
  return `from framegate import Framegate

# The key comes from the environment: FRAMEGATE_KEY.
client = Framegate(base_url="${baseUrl}")

${call}`;
}

function pythonArguments(body: unknown): string {
  return Object.entries(body as object)
    .map(([name, value]) => `    ${name}=${literalFor('Python', value, 1)},`)
    .join('\n');
}

function exampleIdOf({ operation }: DocumentedOperation): string {
  const inPath = operation.parameters?.find((parameter) => parameter.in === 'path');
  return textOrEmpty(inPath?.example);
}

/** A curl command, with the key in the shell variable `FRAMEGATE_KEY`. */
function curl(baseUrl: string, place: DocumentedOperation, body: unknown): string {
  const { method, path, operation } = place;
  const headers = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, example }) =>
      // A fixed key would make the second run with another body an error.
      name === 'Idempotency-Key'
        ? `-H "${name}: order-$(date +%s)"`
        : `-H ${quoteForShell(`${name}: ${textOrEmpty(example)}`)}`,
    );
  const key = operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $FRAMEGATE_KEY"'];
  const content =
    body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d ${quoteForShell(JSON.stringify(body, null, 2))}`,
        ];
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const url = baseUrl + path.replace(/\{\w+\}/, exampleIdOf(place));
  return [`${verb} ${quoteForShell(url)}`, ...key, ...headers, ...content].join(' \\\n  ');
}

function textOrEmpty(example: unknown): string {
  return typeof example === 'string' ? example : '';
}

/** Differences between the languages' literals and JSON. */
const grammars = {
  TypeScript: {
    quote: "'",
    key: (name: string) => name,
    word: (value: unknown) => String(value),
  },
  Python: {
    quote: '"',
    key: (name: string) => `"${name}"`,
    word: (value: unknown) =>
      ({ true: 'True', false: 'False', null: 'None' })[String(value)] ?? String(value),
  },
} as const;

/**
 * Writes a JSON value as a literal with one field per line.
 * @param depth Indentation level of the first line.
 */
export function literalFor(language: keyof typeof grammars, value: unknown, depth = 0): string {
  const { quote, key, word } = grammars[language];
  const step = language === 'Python' ? '    ' : '  ';
  const inner = step.repeat(depth + 1);
  const block = (open: string, lines: readonly string[], close: string) =>
    `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${step.repeat(depth)}${close}`;
  if (typeof value === 'string') {
    return `${quote}${value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
  }
  const each = (item: unknown) => literalFor(language, item, depth + 1);
  if (Array.isArray(value)) return block('[', value.map(each), ']');
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, item]) => `${key(name)}: ${each(item)}`);
    return block('{', fields, '}');
  }
  return word(value);
}
