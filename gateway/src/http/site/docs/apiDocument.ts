/* The part of an OpenAPI 3.1 document that the reference page shows. */

/** A JSON Schema, or a reference to one. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: unknown;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}

/** An example of a body, or a reference to one. */
export interface Example {
  $ref?: string;
  summary?: string;
  value?: unknown;
}

/** The bodies of one media type. */
export interface Content {
  schema: Schema;
  examples?: Readonly<Record<string, Example>>;
}

/** A parameter of a path, a query or a header. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

/** A header of a response, or a reference to one. */
export interface Header {
  $ref?: string;
  description?: string;
}

/** A response of an operation. */
export interface DocumentedResponse {
  description: string;
  headers?: Readonly<Record<string, Header>>;
  content?: Readonly<Record<string, Content>>;
}

/** An operation of the API. */
export interface Operation {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  /** Empty if the operation needs no key. */
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, DocumentedResponse>>;
}

/** The document. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers: readonly { url: string }[];
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: {
    securitySchemes?: Readonly<Record<string, { description?: string }>>;
    schemas?: Readonly<Record<string, Schema>>;
    headers?: Readonly<Record<string, Header>>;
    examples?: Readonly<Record<string, Example>>;
  };
}

/** An operation with its method and path. */
export interface DocumentedOperation {
  method: string;
  path: string;
  operation: Operation;
}

/** All operations in the order of the document. */
export function operationsOf(api: ApiDocument): DocumentedOperation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Name of a referenced component: the last part of the reference. */
export function refName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Resolves the reference of a schema; sibling fields take precedence. */
export function schemaOf(api: ApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return { ...api.components?.schemas?.[refName(schema.$ref)], ...schema };
}

/**
 * Merges a union of objects into one object with all fields. Fields are required if all members require them;
 * differing fields have the values of all members. Other schemas are only resolved.
 */
export function mergedObject(api: ApiDocument, schema: Schema): Schema {
  const kinds = kindsOf(api, schema);
  const [first, ...others] = kinds;
  if (first === undefined || others.length === 0) return schemaOf(api, schema);
  const names = new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].map((name) => {
    const fields = kinds.flatMap((kind) => kind.properties?.[name] ?? []);
    return [name, mergedField(fields)] as const;
  });
  const required = [...names].filter((name) =>
    kinds.every((kind) => kind.required?.includes(name)),
  );
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** Members of a union, including those of nested unions. */
function kindsOf(api: ApiDocument, schema: Schema): Schema[] {
  const { oneOf, ...rest } = schemaOf(api, schema);
  return oneOf === undefined ? [rest] : oneOf.flatMap((each) => kindsOf(api, each));
}

function mergedField(fields: readonly Schema[]): Schema {
  const distinct = [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
  const [first = {}] = distinct;
  if (distinct.length < 2) return first;
  const { description, type } = first;
  const about = description === undefined ? {} : { description };
  const values = distinct.flatMap((field) => field.enum ?? []);
  if (values.length > 0) {
    return { ...about, ...(type !== undefined && { type }), enum: [...new Set(values)] };
  }
  return { ...about, oneOf: distinct.map(({ $ref }) => ($ref === undefined ? {} : { $ref })) };
}

/** Resolves the reference of an example. */
export function resolveExample(api: ApiDocument, example: Example): Example {
  if (example.$ref === undefined) return example;
  return { ...api.components?.examples?.[refName(example.$ref)], ...example };
}

/** Resolves the reference of a header. */
export function headerOf(api: ApiDocument, header: Header): Header {
  if (header.$ref === undefined) return header;
  return { ...api.components?.headers?.[refName(header.$ref)], ...header };
}
