import { fieldsOfStatus } from '../schemas/generation.ts';
import { type Status, statuses } from '../states.ts';
import type { JsonSchema } from './jsonSchema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The variant of each state: those with the same fields share one. */
const variantPrefixes = {
  queued: 'Pending',
  processing: 'Pending',
  completed: 'Completed',
  failed: 'Failed',
} as const satisfies Record<Status, string>;

/** Specific parts of a type's records. `other` is the output field of the other type. */
const types = {
  video: { plural: 'Video', parameters: 'EffectiveVideoParameters', other: 'image_urls' },
  image: { plural: 'Images', parameters: 'EffectiveImageParameters', other: 'video_url' },
} as const;

/**
 * Splits Generation into a union by `type` (video, image) and `status` (pending, completed, failed), so that
 * generated clients know which fields are present.
 * @param schemas Schemas with one Generation that has all fields, most of them optional.
 */
export function withGenerationVariants(schemas: Schemas): Record<string, JsonSchema> {
  const { Generation: record, Output: output, ...rest } = schemas;
  if (record === undefined || output === undefined) throw new Error('no Generation or Output');
  const variants: Record<string, JsonSchema> = {
    Generation: union('type', { video: 'VideoGeneration', image: 'ImageGeneration' }),
  };
  for (const [type, { plural, parameters, other }] of Object.entries(types)) {
    const files = type === 'video' ? 'VideoOutput' : 'ImageOutput';
    variants[files] = outputOf(output, type, other);
    const byStatus: Record<string, string> = {};
    for (const [state, values] of Map.groupBy(statuses, (status) => variantPrefixes[status])) {
      const name = state + plural;
      for (const status of values) byStatus[status] = name;
      const own = new Set(values.flatMap((status) => fieldsOfStatus[status]));
      variants[name] = narrowRecord(record, [...own], {
        type: { enum: [type] },
        status: { enum: values },
        parameters: { $ref: reference(parameters) },
        output: { $ref: reference(files) },
      });
    }
    variants[type === 'video' ? 'VideoGeneration' : 'ImageGeneration'] = union('status', byStatus);
  }
  return { ...rest, ...variants };
}

const reference = (name: string) => `#/components/schemas/${name}`;

/** A union of schemas with a discriminator. */
function union(propertyName: string, names: Readonly<Record<string, string>>): JsonSchema {
  const references = new Set(Object.values(names).map(reference));
  return {
    oneOf: [...references].map(($ref) => ({ $ref })),
    discriminator: {
      propertyName,
      mapping: Object.fromEntries(
        Object.entries(names).map(([value, name]) => [value, reference(name)]),
      ),
    },
  };
}

/** Record of one type in one state: fields of the state are required, those of other states removed. */
function narrowRecord(
  record: JsonSchema,
  own: readonly string[],
  values: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const always = record.required ?? [];
  const properties = Object.entries(record.properties ?? {})
    .filter(([name]) => always.includes(name) || own.includes(name))
    .map(([name, schema]) => [name, { ...withoutChoice(schema), ...values[name] }] as const);
  return { ...record, properties: Object.fromEntries(properties), required: [...always, ...own] };
}

/** Description of a field before it is narrowed to a variant. */
function withoutChoice(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'anyOf'));
}

/** Output of one type. URLs of images are always present, that of a video until its deletion. */
function outputOf(output: JsonSchema, type: string, other: string): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(output.properties ?? {}).filter(([name]) => name !== other),
  );
  const required = output.required ?? [];
  return {
    ...output,
    properties,
    required: type === 'image' ? [...required, 'image_urls'] : required,
  };
}
