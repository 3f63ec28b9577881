import mongoose, { type Schema } from 'mongoose';

/**
 * A stored value in the form of the domain: `id` for `_id`, and ms since the epoch for dates. Values without a
 * schema (Mixed) stay unchanged.
 */
export type Domain<T> = unknown extends T
  ? T
  : T extends Date
    ? number
    : T extends readonly (infer Item)[]
      ? Domain<Item>[]
      : T extends object
        ? { [Name in keyof T as Name extends '_id' ? 'id' : Name]: Domain<T[Name]> }
        : T;

/** A type with all its fields required, so that the compiler finds a forgotten one. */
type RequiredFields<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? RequiredFields<Item>[]
    : T extends object
      ? { [Name in keyof T]-?: RequiredFields<Exclude<T[Name], undefined>> }
      : T;

/** A type that allows `undefined` for its optional fields; the driver does not write it. */
type OptionalFields<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? OptionalFields<Item>[]
    : T extends object
      ? {
          [Name in keyof T]:
            OptionalFields<T[Name]> | (object extends Pick<T, Name> ? undefined : never);
        }
      : T;

type IsAssignable<A, B> = [A] extends [B] ? true : false;

/** Whether two types have the same fields of the same types at all depths, including optional ones. */
export type HaveSameFields<A, B> = [
  IsAssignable<OptionalFields<A>, OptionalFields<B>>,
  IsAssignable<OptionalFields<B>, OptionalFields<A>>,
  IsAssignable<RequiredFields<A>, RequiredFields<B>>,
  IsAssignable<RequiredFields<B>, RequiredFields<A>>,
] extends [true, true, true, true]
  ? true
  : false;

/** Converts values of one kind to their stored form and back; all functions copy and keep unknown fields. */
export interface Codec<Stored, Value> {
  /** The stored form of a whole value. */
  readonly toStored: (value: Value) => Stored;
  /** The stored form of some fields of a value. */
  readonly toFields: <Part extends Partial<Value>>(fields: Part) => StoredFields<Stored, Part>;
  /** The value of a whole document. */
  readonly fromStored: (document: Stored) => Value;
  /** The value of a document reduced by a projection. */
  readonly fromPart: <Part extends object>(document: Part) => Domain<Part>;
}

type StoredFields<Stored, Part> = {
  [Name in keyof Part as Name extends keyof Stored ? Name : never]: Name extends keyof Stored
    ? Stored[Name]
    : never;
};

/**
 * Makes the codec of a schema, once: `codecOf<Session>()(sessionSchema)`. It does not compile where the schema
 * and the domain type differ in a field; `Own` names those that only the store knows.
 */
export const codecOf =
  <Value extends object, Own extends string = never>() =>
  <Stored>(
    schema: Schema<Stored> &
      (HaveSameFields<Domain<Omit<Stored, Own>>, Value> extends true
        ? unknown
        : { differs: [stored: Domain<Omit<Stored, Own>>, domain: Value] }),
  ): Codec<Omit<Stored, Own>, Value> =>
    codec(schema) as never;

function codec(schema: object) {
  const plan = planOf(schema as Schema);
  return {
    toStored: (value: Values) => store(value, plan),
    toFields: (fields: Values) => store(fields, plan),
    fromStored: (document: Values) => restore(document, plan),
    fromPart: (document: Values) => restore(document, plan),
  };
}

type Values = Record<string, unknown>;

/** The dates in a schema. */
interface CodecPlan {
  hasId: boolean;
  dates: string[];
  parts: { name: string; plan: CodecPlan; shape: 'one' | 'list' | 'byName' }[];
}

const { Date: DatePath, DocumentArray, Subdocument, Map: MapPath } = mongoose.Schema.Types;

function planOf(schema: Schema): CodecPlan {
  const plan: CodecPlan = { hasId: '_id' in schema.paths, dates: [], parts: [] };
  schema.eachPath((name, type) => {
    if (name.includes('.')) return;
    const add = (shape: CodecPlan['parts'][number]['shape'], inner: Schema) => {
      const innerPlan = planOf(inner);
      if (innerPlan.dates.length + innerPlan.parts.length > 0) {
        plan.parts.push({ name, plan: innerPlan, shape });
      }
    };
    if (type instanceof DatePath) {
      plan.dates.push(name);
    } else if (type instanceof DocumentArray) {
      add('list', type.schema);
    } else if (type instanceof Subdocument) {
      add('one', type.schema);
    } else if (type instanceof MapPath) {
      const inner = type.getEmbeddedSchemaType()?.schema;
      if (inner) add('byName', inner);
    }
  });
  return plan;
}

type ValueConverter = (value: Values, plan: CodecPlan) => Values;

const store: ValueConverter = (value, plan) => {
  const { id, ...fields } = value;
  const values: Values = !plan.hasId
    ? { ...value }
    : id === undefined
      ? fields
      : { _id: id, ...fields };
  for (const name of plan.dates) {
    const time = values[name];
    if (typeof time === 'number') values[name] = new Date(time);
  }
  convertParts(values, plan, store);
  return values;
};

const restore: ValueConverter = (document, plan) => {
  const { _id, ...fields } = document;
  const value: Values = !plan.hasId || _id === undefined ? { ...document } : { id: _id, ...fields };
  for (const name of plan.dates) {
    const time = value[name];
    if (time instanceof Date) value[name] = time.getTime();
  }
  convertParts(value, plan, restore);
  return value;
};

function convertParts(value: Values, { parts }: CodecPlan, convert: ValueConverter): void {
  for (const { name, plan, shape } of parts) {
    const part = value[name];
    if (part === null || part === undefined) continue;
    if (shape === 'one') {
      value[name] = convert(part as Values, plan);
    } else if (shape === 'list') {
      value[name] = (part as Values[]).map((each) => convert(each, plan));
    } else {
      const entries = Object.entries(part as Record<string, Values>);
      value[name] = Object.fromEntries(entries.map(([key, each]) => [key, convert(each, plan)]));
    }
  }
}
