import { errorCodes, failureCodes } from '@framegate/contract';
import { refundRule } from '../../../domain/credits/refund.ts';
import {
  type ApiDocument,
  type DocumentedOperation,
  type DocumentedResponse,
  mergedObject,
  refName,
  type Schema,
  schemaOf,
} from './apiDocument.ts';
import { groupsOf, objects } from './docsPage.ts';
import { type DocsFacts, type Guide, markdownTable } from './facts.ts';
import { guidesOf } from './guides/index.ts';
import { boundsOf, typeOf } from './operationSection.ts';
import { callsOf, sampleLanguages, type Samples } from './samples.ts';

/** Guides and reference as Markdown, for agents and readers without a browser. */
export function docsMarkdown(api: ApiDocument, facts: DocsFacts): string {
  const groups = groupsOf(api).map(({ name, description, operations }) =>
    [`## ${name}`, description, ...operations.map((place) => operationMarkdown(api, place))].join(
      '\n\n',
    ),
  );
  const objectTexts = objects.map((name) => {
    const schema = api.components?.schemas?.[name] ?? {};
    return `### ${name}\n\n${fieldsMarkdown(api, schema)}`;
  });
  const codes = (all: Readonly<Record<string, { retryable: boolean; message: string }>>) =>
    Object.entries(all).map(([code, { retryable, message }]) => [
      `\`${code}\``,
      retryable ? 'yes' : 'no',
      message,
    ]);
  const errors = Object.entries(errorCodes).map(([code, { status, retryable, message }]) => [
    String(status),
    `\`${code}\``,
    retryable ? 'yes' : 'no',
    message,
  ]);
  const text = [
    `# ${api.info.title} ${api.info.version}`,
    `Base URL: \`${facts.baseUrl}\`. OpenAPI: ${facts.baseUrl}/openapi.json`,
    api.info.description ?? '',
    '## Guides',
    ...guidesOf({ api, facts }).map(guideMarkdown),
    ...groups,
    '## Objects',
    ...objectTexts,
    '## Errors',
    markdownTable(['Status', 'Code', 'Retryable', 'Message'], errors),
    '## Failures',
    `A failed generation gives the reason in \`error\` and is refunded ${refundRule.inWords}.`,
    markdownTable(['Code', 'Retryable', 'Message'], codes(failureCodes)),
  ].join('\n\n');
  return `${withWholeLinks(text, facts)}\n`;
}

/** Entry point for agents: a summary with links (llmstxt.org). */
export function llmsMarkdown(api: ApiDocument, facts: DocsFacts): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${path}): ${about}`;
  const guides = guidesOf({ api, facts }).map(({ id, title }) => `- [${title}](/docs#${id})`);
  const text = `# ${api.info.title}

> Create videos and images through an asynchronous HTTP API that charges credits: create with an Idempotency-Key, poll until completed or failed, then download.

${api.info.description ?? ''}

## Documentation

${[
  link(
    'Guides and reference',
    '/docs.md',
    'one Markdown file with samples in curl, TypeScript, Python and n8n',
  ),
  link('Clients', '/clients.md', 'commands that install the packages of this gateway'),
  link('OpenAPI document', `${facts.baseUrl}/openapi.json`, 'OpenAPI 3.1'),
  ...(facts.mcpUrl === null
    ? []
    : [
        link(
          'MCP',
          facts.mcpUrl,
          'the operations as tools over Streamable HTTP, with the API key as bearer token',
        ),
      ]),
].join('\n')}

## Guides

${guides.join('\n')}
`;
  return withWholeLinks(text, facts);
}

/** Makes links to the page and the site absolute. */
function withWholeLinks(text: string, { siteUrl }: DocsFacts): string {
  return text.replaceAll('](#', `](${siteUrl}/docs#`).replaceAll('](/', `](${siteUrl}/`);
}

function guideMarkdown({ title, parts }: Guide): string {
  const texts = parts.map((part) => (typeof part === 'string' ? part : samplesMarkdown(part)));
  return [`### ${title}`, ...texts].join('\n\n');
}

function samplesMarkdown(samples: Samples): string {
  return sampleLanguages
    .flatMap(({ name, mark }) => {
      const text = samples[name];
      return text === undefined ? [] : [`${name}:\n\n\`\`\`${mark}\n${text}\n\`\`\``];
    })
    .join('\n\n');
}

function operationMarkdown(api: ApiDocument, place: DocumentedOperation): string {
  const { method, path, operation } = place;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: where, required, description = '' }) =>
      `- \`${name}\` (${where}${required === true ? ', required' : ''}): ${description}`,
  );
  const body = operation.requestBody?.content['application/json'];
  const parts = [
    `### ${operation.summary ?? operation.operationId}`,
    `\`${method} ${path}\``,
    operation.description ?? '',
    parameters.join('\n'),
    body ? `Body:\n\n${fieldsMarkdown(api, body.schema)}` : '',
    Object.entries(operation.responses).map(responseMarkdown).join('\n'),
    ...callsOf(api, place).map(
      ({ title, samples }) => `#### ${title}\n\n${samplesMarkdown(samples)}`,
    ),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function responseMarkdown([status, { description, content }]: [
  string,
  DocumentedResponse,
]): string {
  const { schema, examples = {} } = content?.['application/json'] ?? {};
  if (Number(status) >= 400) {
    const codes = Object.keys(examples).map((code) => `\`${code}\``);
    return `- ${status}: ${codes.join(', ')}`;
  }
  const name = schema?.$ref === undefined ? '' : ` Body: ${refName(schema.$ref)}.`;
  return `- ${status}: ${description}${name}`;
}

/** Fields of an object as a nested list. */
function fieldsMarkdown(api: ApiDocument, schema: Schema, indent = ''): string {
  const { properties = {}, required = [] } = mergedObject(api, schema);
  return Object.entries(properties)
    .map(([name, field]) => {
      const { description = '' } = schemaOf(api, field);
      const bounds = boundsOf(api, field).map((bound) => `${bound}.`);
      const about = [description, ...bounds].filter((text) => text !== '');
      const mark = required.includes(name) ? '' : ', optional';
      const line = `${indent}- \`${name}\` (${typeOf(api, field)}${mark})`;
      const whole = about.length > 0 ? `${line}: ${about.join(' ')}` : line;
      return [whole, ...innerTexts(api, field, `${indent}  `)].join('\n');
    })
    .join('\n');
}

function innerTexts(api: ApiDocument, field: Schema, indent: string): string[] {
  const schema = schemaOf(api, field);
  if (schema.items !== undefined) return innerTexts(api, schema.items, indent);
  const { anyOf = [], oneOf = anyOf } = schema;
  if (oneOf.length > 0) {
    return oneOf.flatMap((choice) => {
      if (choice.$ref === undefined) return [];
      return [`${indent}- ${refName(choice.$ref)}:`, fieldsMarkdown(api, choice, `${indent}  `)];
    });
  }
  return schema.properties === undefined ? [] : [fieldsMarkdown(api, schema, indent)];
}
