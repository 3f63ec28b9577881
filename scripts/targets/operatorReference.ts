import { describeScope, operatorErrorCodes, operatorScopeNames } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import {
  buildOperatorOpenApi,
  type OperatorOperation,
  operatorOperations,
} from '@framegate/contract/operator';
import { betweenMarkers, type Target } from '../target.ts';

/** The parts of the OpenAPI document that the reference uses. */
interface ReferenceSchema {
  type?: string | string[];
  $ref?: string;
  description?: string;
  enum?: unknown[];
  items?: ReferenceSchema;
  properties?: Record<string, ReferenceSchema>;
  required?: string[];
  anyOf?: ReferenceSchema[];
}

const document = buildOperatorOpenApi();
const schemas = document.components.schemas as Record<string, ReferenceSchema>;
const publicApi = buildOpenApi({ baseUrl: 'https://api.example.com/v1' });
const publicSchemas = publicApi.components.schemas as Record<string, ReferenceSchema>;

/** Fields and query parameters of many operations, explained once at the head of the reference. */
const common: ReadonlyMap<string, string> = new Map([
  ['reason', 'The reason, recorded in the audit log and, for credits, in the ledger.'],
  ['after', '`next` of an earlier page of the same list; without it the list begins.'],
  ['limit', 'Entries in a page; 100 if absent.'],
]);

/** The reference of the operator API in its guide. */
export const operatorReference: Target = {
  file: 'docs/operator-api.md',
  content: (page) => betweenMarkers(page, 'operator reference', reference()),
};

function reference(): string {
  return [
    '### Scopes',
    table(
      ['Scope', 'Allows'],
      operatorScopeNames.map((scope) => [`\`${scope}\``, describeScope(scope)]),
    ),
    '### Common parameters',
    'Operations only name these. `reason` is optional where an operation "takes" it.',
    table(
      ['Parameter', 'Meaning'],
      [...common].map(([name, text]) => [`\`${name}\``, text]),
    ),
    ...Object.values<OperatorOperation>(operatorOperations).map(section),
    '### Objects',
    'Bodies of creates, and types without a link, are those of the public API: see `/docs` and `/v1/openapi.json` of your gateway. Top-level objects also have `object`, their type in snake case such as `ledger_entry`, unless a table has another value.',
    ...Object.entries(schemas)
      .filter(([name, { properties }]) => properties !== undefined && !isPublic(name))
      .filter(([name]) => !requestNames.has(name))
      .map(([name, schema]) =>
        [`#### ${name}`, listOf(schema) ?? ownFields(name, schema)].join('\n\n'),
      ),
    '### Error codes',
    'The form is that of the [public API](errors.md). In addition to its codes:',
    table(
      ['Status', 'Code', 'Meaning'],
      Object.entries(operatorErrorCodes).map(([code, { status, message }]) => [
        String(status),
        `\`${code}\``,
        message,
      ]),
    ),
  ].join('\n\n');
}

function componentName(
  schema: Pick<NonNullable<OperatorOperation['body']>, 'describe'> | undefined,
) {
  const { metas = [] } = (schema?.describe() ?? {}) as { metas?: { component?: string }[] };
  return metas.find(({ component }) => component !== undefined)?.component;
}

const requestNames = new Set(
  Object.values<OperatorOperation>(operatorOperations).map(({ body }) => componentName(body)),
);

/** Whether the schema is one of the public API, unchanged. */
function isPublic(name: string): boolean {
  return JSON.stringify(publicSchemas[name]) === JSON.stringify(schemas[name]);
}

/** Whether a field is `object` with the name of its type, such as `ledger_entry` for LedgerEntry. */
function isOwnName(title: string, name: string, { enum: values }: ReferenceSchema): boolean {
  const snakeCase = title.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return name === 'object' && values?.join() === snakeCase;
}

/** Names of the fields of a generation's record in the public API. */
const recordFields = new Set(
  Object.entries(publicSchemas)
    .filter(([name]) => /^(Pending|Completed|Failed)/.test(name))
    .flatMap(([, { properties = {} }]) => Object.keys(properties)),
);

/** Fields of an object, without the public record's if it contains all of them. */
function ownFields(name: string, schema: ReferenceSchema): string {
  const { properties = {} } = schema;
  if (![...recordFields].every((each) => each in properties)) {
    return fields(schema, new Set(), name);
  }
  return `The record of \`GET /v1/generations/{id}\`, and:\n\n${fields(schema, recordFields)}`;
}

/** One sentence about a page of a list; null for any other object. */
function listOf({ properties = {} }: ReferenceSchema): string | null {
  const { data, next } = properties;
  if (data === undefined || next === undefined) return null;
  return `A [list](#lists-and-the-ledger-feed): \`data\` is a ${typeOf(data)}. \`next\`: ${next.description ?? ''}`;
}

function section(operation: OperatorOperation): string {
  const { method, path, summary, description, scope, status, response } = operation;
  const bodyName = componentName(operation.body) ?? '';
  const body = isPublic(bodyName) ? undefined : schemas[bodyName];
  const { parameters } = document.paths[path]?.[method.toLowerCase()] as {
    parameters: (ReferenceSchema & { name: string; in: string })[];
  };
  const query = parameters.filter((each) => each.in === 'query');
  const own = query.filter((each) => !common.has(each.name));
  const named = [
    ...query.map((each) => each.name),
    ...Object.keys(body?.properties ?? {}).filter((name) => name === 'reason'),
  ].filter((name) => common.has(name));
  const isRequired = body?.required?.includes('reason') === true;
  return [
    `### ${summary}`,
    `\`${method} /operator/v1${path}\` · scope \`${scope}\``,
    description,
    ...(own.length === 0
      ? []
      : [
          table(
            ['Query', 'Meaning'],
            own.map((each) => [`\`${each.name}\``, each.description ?? '']),
          ),
        ]),
    ...(body && Object.keys(body.properties ?? {}).some((name) => name !== 'reason')
      ? [fields(body, common)]
      : []),
    [
      ...(named.length === 0
        ? []
        : [
            `${isRequired ? 'Needs' : 'Takes'} ${named.map((name) => `\`${name}\``).join(' and ')}.`,
          ]),
      `Returns ${status} with ${operation.media ?? linkTo(componentName(response))}.`,
    ].join(' '),
  ].join('\n\n');
}

const linkTo = (name = '') =>
  isPublic(name) ? `\`${name}\`` : `[${name}](#${name.toLowerCase()})`;

function fields(
  { properties = {}, required = [] }: ReferenceSchema,
  without: { has(name: string): boolean } = new Set(),
  title = '',
): string {
  return table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(properties)
      .filter(([name, schema]) => !without.has(name) && !isOwnName(title, name, schema))
      .map(([name, schema]) => [
        `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
        typeOf(schema),
        schema.description ?? '',
      ]),
  );
}

function typeOf({ type, $ref, enum: values, items, anyOf }: ReferenceSchema): string {
  if ($ref !== undefined) return linkTo($ref.slice($ref.lastIndexOf('/') + 1));
  if (items) return `list of ${typeOf(items)}`;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  return [type ?? 'object'].flat().join(' or ');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
