import type { JsonSchema } from '@framegate/contract/openapi';
import {
  buildOperatorOpenApi,
  isWrite,
  type OperatorOperation,
  operatorOperations,
} from '@framegate/contract/operator';
import { wrapWords } from '../../gateway/src/domain/text/text.ts';
import type { Target } from '../target.ts';
import { head } from './integrationContract.ts';
import { comment, declaration, typeOf } from './typescriptTypes.ts';

const folder = 'integrations/operator/src/generated';

/** Append-only lists, which have followers. In ms: the pause after an empty page. */
const feeds: Readonly<Record<string, number>> = { listLedger: 10_000, listEvents: 1_000 };

/** An operation of the document. */
interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: { name: string; in: string; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>;
}

const document = buildOperatorOpenApi();
const schemas = document.components.schemas as Record<string, JsonSchema>;
const described = Object.values(document.paths).flatMap((path) =>
  Object.values(path as Record<string, DescribedOperation>),
);

/** Schemas of the operator API, including its lists' queries, as TypeScript. */
const types: Target = {
  file: `${folder}/api.ts`,
  content: () =>
    head +
    [
      ...Object.entries(schemas)
        .filter(([, { type }]) => type === 'object')
        .map(declaration),
      ...described.filter((each) => queryOf(each).length > 0).map(queryDeclaration),
    ].join('\n'),
};

/** A method for each operation, an iterator for each list, and a follower for each feed. */
const methods: Target = {
  file: `${folder}/operations.ts`,
  content() {
    const bodies = described.map(methodsOf);
    const code = bodies.join('\n').replaceAll(/\/\*\*.*?\*\//gs, '');
    const named = [...new Set(code.match(/\b[A-Z]\w+\b/g) ?? [])];
    const declared = named.filter((name) => isDeclared(name)).toSorted();
    return `${head}import type { FollowOptions, ReadOptions, Sender, WriteOptions } from '../operation.ts';
import { follow, iterate } from '../pages.ts';
import type { ${declared.join(', ')} } from './api.ts';

/** The operations of the API. */
export abstract class Operations {
  protected abstract readonly sender: Sender;

  ${bodies.join('\n\n')}
}
`;
  },
};

/** Files of `@framegate/operator` that are generated from the OpenAPI document. */
export const operatorClient: readonly Target[] = [types, methods];

const isDeclared = (name: string) =>
  schemas[name]?.type === 'object' ||
  described.some((each) => queryOf(each).length > 0 && queryNameOf(each) === name);

const queryOf = ({ parameters }: DescribedOperation) =>
  parameters.filter((each) => each.in === 'query');
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const queryNameOf = ({ operationId }: DescribedOperation) => `${capital(operationId)}Query`;
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function queryDeclaration(each: DescribedOperation): string {
  const fields = queryOf(each).map(
    ({ name, description, schema }) =>
      `${comment(description === undefined ? {} : { description })}${name}${isRequired(each, name) ? '' : '?'}: ${typeOf(schema)}${isRequired(each, name) ? '' : ' | undefined'};\n`,
  );
  return `/** Query of \`${each.operationId}\`. */\nexport interface ${queryNameOf(each)} { ${fields.join('')} }\n`;
}

/** The document marks every query parameter as optional; its schema knows which are required. */
function isRequired({ operationId }: DescribedOperation, name: string): boolean {
  const { query } = operationOf(operationId);
  const keys = (query?.describe() ?? {}) as {
    keys?: Record<string, { flags?: { presence?: string } }>;
  };
  return keys.keys?.[name]?.flags?.presence === 'required';
}

const operationOf = (id: string) =>
  (operatorOperations as Readonly<Record<string, OperatorOperation>>)[id] as OperatorOperation;

function methodsOf(each: DescribedOperation): string {
  const { operationId, summary, description, parameters } = each;
  const operation = operationOf(operationId);
  const writes = isWrite(operation);
  const ids = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const hasQuery = queryOf(each).length > 0;
  const needsQuery = queryOf(each).some(({ name }) => isRequired(each, name));
  const bodySchema = each.requestBody?.content['application/json']?.schema;
  const response = Object.entries(each.responses).find(([status]) => status.startsWith('2'))?.[1];
  const responseSchema = Object.values(response?.content ?? {})[0]?.schema ?? {};
  const type = operation.media === undefined ? typeOf(responseSchema) : 'string';
  const options = writes ? 'WriteOptions' : 'ReadOptions';
  const pathArguments = ids.map((name) => `${camel(name)}: string`);
  const methodParameters = [
    ...pathArguments,
    ...(bodySchema ? [`body: ${typeOf(bodySchema)}${needsFields(bodySchema) ? '' : ' = {}'}`] : []),
    ...(hasQuery ? [`query: ${queryNameOf(each)}${needsQuery ? '' : ' = {}'}`] : []),
    `options: ${options} = {}`,
  ];
  const call = [
    `method: '${operation.method}'`,
    `path: ${pathOf(operation.path)}`,
    `object: ${operation.media === undefined ? `'${objectOf(type)}'` : 'null'}`,
    ...(hasQuery ? ['query'] : []),
    ...(bodySchema ? ['body'] : []),
    ...(writes ? ['isWrite: true'] : []),
    'options',
  ];
  const method = `${docOf(`${summary}. ${description}`)}
${operationId}(${methodParameters.join(', ')}): Promise<${type}> {
  return this.sender.send<${type}>({ ${call.join(', ')} });
}`;
  if (objectOf(type) !== 'list') return method;
  return [method, walkerOf(each, { type, pathArguments, ids, hasQuery })].join('\n\n');
}

/** The iterator over a list, or the follower of a feed. */
function walkerOf(
  each: DescribedOperation,
  {
    type,
    pathArguments,
    ids,
    hasQuery,
  }: { type: string; pathArguments: string[]; ids: string[]; hasQuery: boolean },
): string {
  const { operationId, summary } = each;
  const { items } = schemas[type]?.properties?.['data'] ?? {};
  const restMs = feeds[operationId];
  const walk = restMs === undefined ? 'iterate' : 'follow';
  const name = operationId.replace('list', walk);
  const query = hasQuery ? [`query: ${queryNameOf(each)} = {}`] : [];
  const to = [...ids.map(camel), ...(hasQuery ? ['{ ...filters, after }'] : []), 'options'].join(
    ', ',
  );
  if (restMs === undefined) {
    const filters = hasQuery ? 'const { after: begin, ...filters } = query;' : '';
    return `/** ${summary}: one after the other, however many pages there are. */
${name}(${[...pathArguments, ...query, 'options: ReadOptions = {}'].join(', ')}): AsyncGenerator<${typeOf(items ?? {})}, void, undefined> {
  ${filters}
  return iterate((${hasQuery ? 'after' : ''}) => this.${operationId}(${to}), ${hasQuery ? 'begin' : 'undefined'});
}`;
  }
  const wait =
    operationId === 'listEvents' ? 'wait_seconds: options.stopAtEnd === true ? 0 : 30, ' : '';
  return `/**
 * ${summary}: the pages that have something, from a cursor on, and those to come, until the signal is aborted. Store
 * \`next\` once you have acted on a page.
 */
${name}(${[...query, 'options: FollowOptions = {}'].join(', ')}): AsyncGenerator<${type} & { next: string }, void, undefined> {
  const { after: begin, ...given } = query;
  const filters = { ${wait}...given };
  return follow(this.sender, (after) => this.${operationId}(${to}), { ...options, after: begin, restMs: ${restMs} });
}`;
}

function objectOf(type: string): string {
  const values: readonly unknown[] = schemas[type]?.properties?.['object']?.enum ?? [];
  const [only] = values;
  return typeof only === 'string' ? only : '';
}

const needsFields = ({ $ref = '' }: JsonSchema): boolean =>
  (schemas[$ref.slice($ref.lastIndexOf('/') + 1)]?.required ?? []).length > 0;

function pathOf(path: string): string {
  const parts = path.split(/(\{\w+\})/).filter((part) => part !== '');
  const escaped = parts.map((part) =>
    part.startsWith('{') ? `{ value: ${camel(part.slice(1, -1))} }` : `'${part}'`,
  );
  return `[${escaped.join(', ')}]`;
}

/** A comment wrapped so that the formatter leaves it unchanged. */
function docOf(text: string): string {
  const [first = ''] = text.split('\n\nRequires the scope');
  const scope = /Requires the scope \`(.+?)\`/.exec(text)?.[1] ?? '';
  const lines = wrapWords(`${first} Scope: \`${scope}\`.`, 110);
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */`;
}
