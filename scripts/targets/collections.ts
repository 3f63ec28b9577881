import { buildOpenApi } from '@framegate/contract/openapi';
import type { Target } from '../target.ts';

/* Collections for Postman and Bruno, from the examples of the OpenAPI document. */

/** One request of a collection. */
interface CollectionRequest {
  name: string;
  method: string;
  /** Path after the base URL. */
  path: string;
  /** Whether it is a create request, with a body and an Idempotency-Key. */
  body?: object;
  /** Script that processes the response. */
  script?: 'keep' | 'wait';
  withoutKey?: boolean;
}

/** Requests in execution order: create, wait, download. */
function requests(): CollectionRequest[] {
  const { paths } = buildOpenApi({ baseUrl: 'https://api.example.com/v1' });
  const videos = paths['/videos'].post.requestBody.content['application/json'].examples;
  const images = paths['/images'].post.requestBody.content['application/json'].examples;
  const create = (kind: string, path: string, examples: typeof videos) =>
    Object.values(examples).map(({ summary, value }): CollectionRequest => ({
      name: `Create ${kind}: ${summary.toLowerCase().replace(',', '')}`,
      method: 'POST',
      path,
      body: value,
      script: 'keep',
    }));
  const read = { method: 'GET' } as const;
  const [text, ...others] = [
    ...create('a video', '/videos', videos),
    ...create('images', '/images', images),
  ];
  return [
    { ...read, name: 'List the models', path: '/models' },
    { ...read, name: 'Read the balance', path: '/credits/balance' },
    ...(text ? [text] : []),
    {
      ...read,
      name: 'Wait for the generation',
      path: '/generations/{{generationId}}',
      script: 'wait',
    },
    { ...read, name: 'Download the first file', path: '{{fileUrl}}', withoutKey: true },
    ...others,
  ];
}

const about =
  'Set baseUrl and apiKey, and run a create. A create keeps its Idempotency-Key until it is accepted, so sending it again after a timeout is not charged twice; the next one gets a new key.';

/** Script before a create request, with the tool's functions for variables. */
const beforeCreate = (get: string, set: string) => [
  `if (!${get}('idempotencyKey')) ${set}('idempotencyKey', require('uuid').v4());`,
];

/** Script after a response. `response` is an expression for the parsed body. */
function afterResponse(
  script: CollectionRequest['script'],
  tool: {
    set: string;
    status: string;
    response: string;
    sleep: (seconds: string) => string;
    again: string;
  },
): string[] {
  const { set, status, response } = tool;
  if (script === 'keep') {
    return [
      `if (${status} === 202) {`,
      `  ${set}('generationId', ${response}.id);`,
      `  ${set}('idempotencyKey', '');`,
      '}',
    ];
  }
  if (script === 'wait') {
    return [
      `const generation = ${response};`,
      "if (['queued', 'processing'].includes(generation.status)) {",
      `  ${tool.sleep('generation.retry_after_seconds')}`,
      `  ${tool.again}`,
      `} else if (generation.status === 'completed') ${set}('fileUrl', generation.output.urls[0]);`,
    ];
  }
  return [];
}

/** Collection in Postman's format, version 2.1. */
const postman: Target = {
  file: 'docs/collections/framegate.postman_collection.json',
  content() {
    const event = (listen: string, exec: string[]) =>
      exec.length === 0 ? [] : [{ listen, script: { type: 'text/javascript', exec } }];
    const variables = 'pm.collectionVariables';
    const item = requests().map(({ name, method, path, body, script, withoutKey }) => ({
      name,
      event: [
        ...event('prerequest', body ? beforeCreate(`${variables}.get`, `${variables}.set`) : []),
        ...event(
          'test',
          afterResponse(script, {
            set: `${variables}.set`,
            status: 'pm.response.code',
            response: 'pm.response.json()',
            sleep: (seconds) => `setTimeout(() => {}, ${seconds} * 1000);`,
            again: 'pm.execution.setNextRequest(pm.info.requestName);',
          }),
        ),
      ],
      request: {
        method,
        ...(withoutKey && { auth: { type: 'noauth' } }),
        header: body
          ? [
              { key: 'Content-Type', value: 'application/json' },
              { key: 'Idempotency-Key', value: '{{idempotencyKey}}' },
            ]
          : [],
        ...(body && { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
        url: withoutKey ? path : `{{baseUrl}}${path}`,
      },
    }));
    const variable = ['baseUrl', 'apiKey', 'idempotencyKey', 'generationId', 'fileUrl'].map(
      (key) => ({ key, value: key === 'baseUrl' ? 'https://api.example.com/v1' : '' }),
    );
    const collection = {
      info: {
        name: 'Framegate',
        description: about,
        schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      },
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
      item,
      variable,
    };
    return JSON.stringify(collection);
  },
};

const brunoFolder = 'docs/collections/bruno';

const indentLines = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join('\n');
const block = (name: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${name} {\n${indentLines(lines)}\n}\n`;

/** A request in Bruno's format. */
function brunoRequest(request: CollectionRequest, index: number): Target {
  const { name, method, path, body, script, withoutKey } = request;
  const verb = method.toLowerCase();
  const url = withoutKey ? path : `{{baseUrl}}${path}`;
  const after = afterResponse(script, {
    set: 'bru.setVar',
    status: 'res.status',
    response: 'res.body',
    sleep: (seconds) => `await bru.sleep(${seconds} * 1000);`,
    again: `bru.runner.setNextRequest('${name}');`,
  });
  const before = body ? beforeCreate('bru.getVar', 'bru.setVar') : [];
  const parts = [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${index + 1}`]),
    block(verb, [
      `url: ${url}`,
      `body: ${body ? 'json' : 'none'}`,
      `auth: ${withoutKey ? 'none' : 'inherit'}`,
    ]),
    block('headers', body ? ['Idempotency-Key: {{idempotencyKey}}'] : []),
    block('body:json', body ? JSON.stringify(body, null, 2).split('\n') : []),
    block('script:pre-request', before),
    block('script:post-response', after),
  ];
  return {
    file: `${brunoFolder}/${String(index + 1).padStart(2, '0')} ${name.replaceAll(/[^\w ]/g, '')}.bru`,
    plain: true,
    content: () => parts.filter((part) => part !== '').join('\n'),
  };
}

/** Collection as a Bruno folder. */
const bruno: Target[] = [
  {
    file: `${brunoFolder}/bruno.json`,
    content: () => JSON.stringify({ version: '1', name: 'Framegate', type: 'collection' }),
  },
  {
    file: `${brunoFolder}/collection.bru`,
    plain: true,
    content: () =>
      [
        block('auth', ['mode: bearer']),
        block('auth:bearer', ['token: {{apiKey}}']),
        block('docs', [about]),
      ].join('\n'),
  },
  {
    file: `${brunoFolder}/environments/gateway.bru`,
    plain: true,
    content: () =>
      [block('vars', ['baseUrl: https://api.example.com/v1']), 'vars:secret [\n  apiKey\n]\n'].join(
        '\n',
      ),
  },
  ...requests().map(brunoRequest),
];

/** Request collections for Postman and Bruno. */
export const collections: readonly Target[] = [postman, ...bruno];
