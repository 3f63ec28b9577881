import mongoose, { type Schema } from 'mongoose';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  [keyword: string]: unknown;
}

const { DocumentArray, Map: MapPath, Number: NumberPath, Subdocument } = mongoose.Schema.Types;

/**
 * The validator of a collection: Mongoose's own JSON schema of the required fields and of all numbers, completed by
 * its missing rules: bounds, and no further fields in parts about credits and money. Elsewhere unknown fields are
 * allowed, because the next release may write them. Other optional fields are not checked: MongoDB would search the
 * whole document for each of them at every write.
 */
export function validatorOf(schema: Schema): { $jsonSchema: JsonSchema } {
  const json = schema.toJSONSchema({ useBsonType: true }) as JsonSchema;
  complete(json, schema);
  const required = new Set(json['required'] as readonly string[]);
  const checked = Object.entries(json.properties ?? {}).filter(
    ([name]) => required.has(name) || schema.path(name) instanceof NumberPath,
  );
  return { $jsonSchema: { ...json, properties: Object.fromEntries(checked) } };
}

function complete(json: JsonSchema, schema: Schema): void {
  if (schema.get('closed' as never) === true) json.additionalProperties = false;
  schema.eachPath((name, type) => {
    const property = json.properties?.[name];
    if (property === undefined) return;
    if (type instanceof NumberPath) {
      const { min, max } = type.options as { min?: number; max?: number };
      if (min !== undefined) property['minimum'] = min;
      if (max !== undefined) property['maximum'] = max;
    } else if (type instanceof DocumentArray) {
      if (property.items) complete(property.items, type.schema);
    } else if (type instanceof Subdocument) {
      complete(property, type.schema);
    } else if (type instanceof MapPath) {
      const inner = type.getEmbeddedSchemaType()?.schema;
      if (inner && typeof property.additionalProperties === 'object') {
        complete(property.additionalProperties, inner);
      }
    }
  });
}
