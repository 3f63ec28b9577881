import { headers, responseHeaders } from '../openapi/headers.ts';
import { type JsonSchema, jsonSchemaOf } from '../openapi/jsonSchema.ts';
import { type AnyErrorCode, errorEntry, operatorMessages } from './errorCodes.ts';
import { operatorErrorSchema } from './errorSchema.ts';
import { isWrite, type OperatorOperation, refusalsOfOperation } from './operation.ts';
import { operatorOperations } from './operations.ts';
import { describeScope } from './scopes.ts';

/** The header of every write, and its retention in days. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A unique value per write, such as a UUID: 1 to 255 visible ASCII characters. For 30 days, repeating a key with the same path and body returns the first response without any effect; a different body is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
} as const;

const introduction = [
  'For the servers of a product built on Framegate: create accounts, grant credits and keep your books. Customers never use this API.',
  '',
  'The API has its own listener. Each operation requires a scope, named in its description. Every write requires an `Idempotency-Key` and is recorded in the audit log. After a timeout, 500 or 503, repeat the same request with the same key.',
  '',
  'Unknown request fields are refused. Responses may gain new fields: ignore those you do not know.',
].join('\n');

/** The OpenAPI 3.1 document of the operator API, from the schemas that validate its requests. */
export function buildOperatorOpenApi() {
  const steps = operatorOpenApiSteps();
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Makes the same document in steps of some ms, one for each operation: a server answers others in between. */
export function* operatorOpenApiSteps() {
  const schemas: Record<string, JsonSchema> = {};
  const error = jsonSchemaOf(operatorErrorSchema, 'open', schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries<OperatorOperation>(operatorOperations)) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(
      id,
      operation,
      schemas,
      error,
    );
    yield;
  }
  const { RequestId, RetryAfter, IdempotentReplayed, WwwAuthenticate } = headers;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Framegate operator API',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction,
    },
    servers: [{ url: '/operator/v1' }],
    security: [{ OperatorKey: [] }],
    tags: [...new Set(Object.values(operatorOperations).map(({ tag }) => tag))].map((name) => ({
      name,
    })),
    paths,
    components: {
      securitySchemes: {
        OperatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator key (fg_operator_…). Keep it on your servers.',
        },
      },
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      headers: { RequestId, RetryAfter, IdempotentReplayed, WwwAuthenticate },
    },
  };
}

function describe(
  operationId: string,
  operation: OperatorOperation,
  schemas: Record<string, JsonSchema>,
  error: JsonSchema,
) {
  const { path, scope, query, body, response, status } = operation;
  const writes = isWrite(operation);
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nRequires the scope \`${scope}\`: ${describeScope(scope)}`,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', maxLength: 128 },
      })),
      ...(query ? queryParameters(jsonSchemaOf(query, 'closed', schemas)) : []),
      ...(writes ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchemaOf(body, 'closed', schemas) } },
      },
    }),
    responses: {
      [String(status)]: {
        description: 'Done.',
        headers: writes ? responseHeaders('IdempotentReplayed') : responseHeaders(),
        content: {
          [operation.media ?? 'application/json']: {
            schema: jsonSchemaOf(response, 'open', schemas),
          },
        },
      },
      ...refusals(refusalsOfOperation(operation), error),
    },
  };
}

function queryParameters({ properties = {} }: JsonSchema) {
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }));
}

const headersOfStatus: Readonly<Record<number, Parameters<typeof responseHeaders>[number]>> = {
  401: 'WwwAuthenticate',
  429: 'RetryAfter',
  503: 'RetryAfter',
};

function refusals(codes: readonly AnyErrorCode[], schema: JsonSchema) {
  const byStatus = Map.groupBy(codes, (code) => errorEntry(code).status);
  const ordered = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    ordered.map(([status, group]) => {
      const header = headersOfStatus[status];
      const lines = group.map((code) => `- \`${code}\`: ${describeErrorCode(code)}`);
      return [
        String(status),
        {
          description: lines.join('\n'),
          headers: header ? responseHeaders(header) : responseHeaders(),
          content: { 'application/json': { schema } },
        },
      ];
    }),
  );
}

/** The message of a code on the operator API. */
function describeErrorCode(code: AnyErrorCode): string {
  return operatorMessages[code] ?? errorEntry(code).message;
}
