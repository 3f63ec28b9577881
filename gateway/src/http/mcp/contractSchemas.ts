import type { JSONObject, Tool } from '@modelcontextprotocol/server';
import { inToolWords } from './toolWords.ts';

/** A JSON Schema with an object at its root, as the protocol requires for tools. */
export type ToolSchema = Tool['inputSchema'];

/** Schemas of the OpenAPI document by name. */
export type ContractSchemas = Readonly<Record<string, object>>;

const reference = '#/components/schemas/';

/**
 * A self-contained schema of the contract: references are resolved, because many models cannot follow them,
 * and OpenAPI keywords are removed.
 */
export function contractSchema(schemas: ContractSchemas, name: string): ToolSchema {
  return { ...(filledIn(schemas, { $ref: reference + name }) as object), type: 'object' };
}

/** One field of a schema of the contract. */
export function contractField(schemas: ContractSchemas, name: string, field: string): JSONObject {
  const { properties = {} } = contractSchema(schemas, name);
  return properties[field] as JSONObject;
}

/** Adds fields to a schema. */
export function withFields(schema: ToolSchema, fields: Record<string, JSONObject>): ToolSchema {
  return { ...schema, properties: { ...schema.properties, ...fields } };
}

function filledIn(schemas: ContractSchemas, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => filledIn(schemas, item));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as Record<string, unknown>;
  const named = typeof $ref === 'string' ? schemas[$ref.slice(reference.length)] : {};
  const entries = Object.entries({ ...named, ...own }).filter(([key]) => key !== 'discriminator');
  return Object.fromEntries(
    entries.map(([key, member]) => [
      key,
      key === 'description' && typeof member === 'string'
        ? inToolWords(member)
        : filledIn(schemas, member),
    ]),
  );
}
