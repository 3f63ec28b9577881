import { isFinal, statuses } from '../states.ts';
import type { JsonSchema } from './jsonSchema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Fields that a record has in some states only; there they are always present. */
const fieldsOfState = {
  Pending: {
    statuses: statuses.filter((status) => !isFinal(status)),
    own: ['retry_after_seconds'],
  },
  Completed: { statuses: ['completed'], own: ['completed_at', 'output'] },
  Failed: { statuses: ['failed'], own: ['completed_at', 'error'] },
} as const;

/** What the records of a type have of their own. `other` is the output's field of the other type. */
const types = {
  video: { plural: 'Video', parameters: 'EffectiveVideoParameters', other: 'image_urls' },
  image: { plural: 'Images', parameters: 'EffectiveImageParameters', other: 'video_url' },
} as const;

/**
 * The schemas with Generation as a union: by `type` into videos and images, each by `status` into
 * pending, completed and failed ones. A generated client then knows which fields are there.
 * @param schemas With one Generation that has every field, most of them optional.
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
    for (const [state, { statuses: values, own }] of Object.entries(fieldsOfState)) {
      const name = state + plural;
      for (const status of values) byStatus[status] = name;
      variants[name] = narrowed(record, own, {
        type: { enum: [type] },
        status: { enum: [...values] },
        parameters: { $ref: reference(parameters) },
        output: { $ref: reference(files) },
      });
    }
    variants[type === 'video' ? 'VideoGeneration' : 'ImageGeneration'] = union('status', byStatus);
  }
  return { ...rest, ...variants };
}

const reference = (name: string) => `#/components/schemas/${name}`;

/** One of some schemas, told apart by a field. */
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

/** The record of one type in one state: without the fields of other states, those of its own required. */
function narrowed(
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

/** A field that is one of several things, before it is said which. */
function withoutChoice(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'anyOf'));
}

/** The files of one type. The URLs of images are always there, that of a video until it is deleted. */
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
