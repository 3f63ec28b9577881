import { operatorErrorCodes, operatorScopes } from '@framegate/contract';
import {
  buildOperatorOpenApi,
  operatorOperations,
  type OperatorOperation,
} from '@framegate/contract/operator';
import { betweenMarkers, type Target } from '../target.ts';

/** The parts of the OpenAPI document that the reference uses. */
interface Shown {
  type?: string | string[];
  $ref?: string;
  description?: string;
  enum?: unknown[];
  items?: Shown;
  properties?: Record<string, Shown>;
  required?: string[];
  anyOf?: Shown[];
}

const document = buildOperatorOpenApi();
const schemas = document.components.schemas as Record<string, Shown>;

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
      Object.entries(operatorScopes).map(([scope, text]) => [`\`${scope}\``, text]),
    ),
    ...Object.values<OperatorOperation>(operatorOperations).map(section),
    '### Objects',
    ...Object.entries(schemas)
      .filter(([, { properties }]) => properties !== undefined)
      .filter(([name]) => !requestNames.has(name) && !name.startsWith('Error'))
      .map(([name, schema]) => [`#### ${name}`, fields(schema)].join('\n\n')),
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

function nameOf(schema: Pick<NonNullable<OperatorOperation['body']>, 'describe'> | undefined) {
  const { metas = [] } = (schema?.describe() ?? {}) as { metas?: { component?: string }[] };
  return metas.find(({ component }) => component !== undefined)?.component;
}

const requestNames = new Set(
  Object.values<OperatorOperation>(operatorOperations).map(({ body }) => nameOf(body)),
);

function section(operation: OperatorOperation): string {
  const { method, path, summary, description, scope, status, answer } = operation;
  const body = schemas[nameOf(operation.body) ?? ''];
  const { parameters } = document.paths[path]?.[method.toLowerCase()] as {
    parameters: (Shown & { name: string; in: string })[];
  };
  const query = parameters.filter((each) => each.in === 'query');
  return [
    `### ${summary}`,
    `\`${method} /operator/v1${path}\` · scope \`${scope}\``,
    description,
    ...(query.length === 0
      ? []
      : [
          table(
            ['Query', 'Meaning'],
            query.map((each) => [`\`${each.name}\``, each.description ?? '']),
          ),
        ]),
    ...(body ? [fields(body)] : []),
    `Answers ${status} with ${operation.media ?? linkTo(nameOf(answer))}.`,
  ].join('\n\n');
}

const linkTo = (name = '') => `[${name}](#${name.toLowerCase()})`;

function fields({ properties = {}, required = [] }: Shown): string {
  return table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
      typeOf(schema),
      schema.description ?? '',
    ]),
  );
}

function typeOf({ type, $ref, enum: values, items, anyOf }: Shown): string {
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
