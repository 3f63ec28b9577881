import type Joi from 'joi';

/** Subset of JSON Schema 2020-12 in the contract. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  maxItems?: number;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  /** Field that distinguishes the members of a `oneOf` of references. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
}

/** Relevant part of Joi's description of a schema. */
interface JoiDescription {
  keys?: Record<string, JoiDescription>;
  items?: JoiDescription[];
  matches?: { schema: JoiDescription }[];
  metas?: {
    openapi?: JsonSchema;
    component?: string;
    extensible?: boolean;
    discriminator?: string;
  }[];
}

/**
 * `open` for responses, to which later versions may add fields and codes; `closed` for requests, and for the
 * responses of this version itself.
 */
export type Openness = 'open' | 'closed';

/**
 * Converts a Joi schema to JSON Schema: Joi's output plus `meta({ openapi })`. Schemas with
 * `meta({ component })` are added to `components` under that name and referenced.
 */
export function jsonSchemaOf(
  schema: Joi.Schema,
  openness: Openness,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const native: JsonSchema = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return completeSchema(native, schema.describe(), openness, components);
}

function completeSchema(
  native: JsonSchema,
  described: JoiDescription,
  openness: Openness,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const walk = (json: JsonSchema, child: JoiDescription | undefined) =>
    child === undefined ? json : completeSchema(json, child, openness, components);
  const metas = described.metas ?? [];
  const schema = metas.reduce((before, meta) => ({ ...before, ...meta.openapi }), native);
  if (openness === 'open') {
    if (metas.some((meta) => meta.extensible)) delete schema.enum;
    if (schema.additionalProperties === false) delete schema.additionalProperties;
  }
  if (schema.properties !== undefined) {
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, json]) => [
        key,
        walk(json, described.keys?.[key]),
      ]),
    );
  }
  if (schema.items !== undefined) schema.items = walk(schema.items, described.items?.[0]);
  if (schema.anyOf !== undefined && described.matches !== undefined) {
    schema.anyOf = schema.anyOf.map((json, index) =>
      walk(json, described.matches?.[index]?.schema),
    );
    const field = metas.find((meta) => meta.discriminator !== undefined)?.discriminator;
    if (field !== undefined) discriminate(schema, field, components);
  }
  const component = metas.find((meta) => meta.component !== undefined)?.component;
  return component === undefined ? schema : moveToComponent(component, schema, components);
}

/** Converts `anyOf` to `oneOf`: each choice is a component with distinct values of the discriminator. */
function discriminate(
  schema: JsonSchema,
  propertyName: string,
  components: Readonly<Record<string, JsonSchema>>,
): void {
  const { anyOf: choices = [] } = schema;
  const mapping = choices.flatMap(({ $ref = '' }) => {
    const values = components[$ref.slice($ref.lastIndexOf('/') + 1)]?.properties?.[propertyName];
    if (values?.enum === undefined) throw new Error(`${$ref} has no values of ${propertyName}`);
    return values.enum.map((value) => [String(value), $ref] as const);
  });
  delete schema.anyOf;
  schema.oneOf = choices;
  schema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
}

/** Moves all but the description to the component; the description belongs to the reference. */
function moveToComponent(
  name: string,
  { description, ...schema }: JsonSchema,
  components: Record<string, JsonSchema>,
): JsonSchema {
  components[name] = schema;
  const reference = { $ref: `#/components/schemas/${name}` };
  return description === undefined ? reference : { ...reference, description };
}
