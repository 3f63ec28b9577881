import type { JsonSchema } from '@framegate/contract/openapi';

/** A schema as an interface with its comments. */
export function declaration([name, schema]: [string, JsonSchema]): string {
  return `${comment(schema)}export interface ${name} ${typeOf(schema)}\n`;
}

/** A schema as a type. @throws Error if it has no type. */
export function typeOf(schema: JsonSchema): string {
  const {
    $ref,
    anyOf,
    oneOf = anyOf,
    enum: values,
    items,
    properties,
    additionalProperties,
    type,
  } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (oneOf !== undefined) return oneOf.map(typeOf).join(' | ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  if (type === 'array') return `(${typeOf(items ?? {})})[]`;
  if (type === 'object' && properties !== undefined) return `{ ${fields(schema).join('')} }`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `Record<string, ${typeOf(additionalProperties)}>`;
  }
  if (type === 'object') return 'Record<string, unknown>';
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  throw new Error(`no TypeScript for ${JSON.stringify(schema)}`);
}

function fields({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema)}${name}${mark}: ${typeOf(schema)};\n`;
  });
}

/** The description of a schema as a comment. */
export const comment = ({ description }: JsonSchema): string =>
  description === undefined ? '' : `\n/** ${description} */\n`;
