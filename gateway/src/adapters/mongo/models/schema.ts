import mongoose, { type InferRawDocTypeWithout_id, type Schema } from 'mongoose';

/** Mongoose's definition of the fields of a document or part. */
type Fields = Readonly<Record<string, object>>;

type NullNames<F> = {
  [Name in keyof F]: F[Name] extends { default: null } ? Name : never;
}[keyof F];

/** Mongoose's type for `Date`. */
type PlainType<T> = T extends Date ? Date : T;

/**
 * Type of the stored documents, inferred from the definition of the fields. `required` ones are always present;
 * so are those with `default: null`, which may be null; with `allowNull: false` they may be absent but are never null;
 * all others may be absent or null.
 */
export type DocumentFields<F> =
  InferRawDocTypeWithout_id<F> extends infer Raw
    ? { [Name in keyof Raw as Name extends NullNames<F> ? never : Name]: Raw[Name] } & {
        [Name in keyof Raw as Name extends NullNames<F> ? Name : never]-?: Exclude<
          Raw[Name],
          undefined
        >;
      } extends infer Joined
      ? { [Name in keyof Joined]: PlainType<Joined[Name]> }
      : never
    : never;

/** The documents that a schema describes. */
export type StoredOf<S> = S extends Schema<infer Stored> ? Stored : never;

// Mongoose's own validation must accept an empty text.
mongoose.Schema.Types.String.checkRequired((value: unknown) => typeof value === 'string');

const options = {
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  strict: 'throw',
  strictQuery: 'throw',
  minimize: false,
  id: false,
} as const;

/** Mongoose infers other types from the fields than it stores. */
const schemaOf = <const F extends Fields>(fields: F, own: object): Schema<DocumentFields<F>> =>
  new mongoose.Schema(fields, { ...options, ...own }) as never;

/**
 * The one description of a collection: fields with types, bounds and units. Its indexes are added with
 * `.index(keys, { name })`; the migrations make them.
 */
export const documentSchema = <const F extends Fields>(collection: string, fields: F) =>
  schemaOf(fields, { collection });

/** A part of a document, without an id from Mongoose. */
export const partSchema = <const F extends Fields>(fields: F) => schemaOf(fields, { _id: false });

/** A part about credits or money, in which the database allows no unknown fields. */
export const closedSchema = <const F extends Fields>(fields: F) =>
  schemaOf(fields, { _id: false, closed: true });

/** A required field. */
export const text = { type: String, required: true } as const;
/** A required time. */
export const time = { type: Date, required: true } as const;
/** A required boolean. */
export const flag = { type: Boolean, required: true } as const;
/** Any number, including fractions. */
export const figure = { type: Number, required: true } as const;
/** An integer. */
export const whole = { ...figure, validate: Number.isSafeInteger } as const;
/** A non-negative integer: credits, bytes, ms or a count. */
export const count = { ...whole, min: 0 } as const;
/** One of the given strings. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  ({ type: String, required: true, enum: values }) as const;

/** A text that may be null, but not absent. */
export const textOrNull = { type: String, default: null } as const;
/** A time, nullable but never absent. */
export const timeOrNull = { type: Date, default: null } as const;

/** A text that may be absent, but not null. */
export const textIfAny = { type: String, allowNull: false } as const;
/** A time, optional but never null. */
export const timeIfAny = { type: Date, allowNull: false } as const;
/** A boolean, optional but never null. */
export const flagIfAny = { type: Boolean, allowNull: false } as const;
/** A non-negative integer, optional but never null. */
export const countIfAny = {
  type: Number,
  allowNull: false,
  min: 0,
  validate: Number.isSafeInteger,
} as const;

interface MixedSchema<T> {
  readonly type: typeof mongoose.Schema.Types.Mixed;
  readonly required: true;
  readonly __rawDocTypeHint: T;
}

/** Data of third parties, such as providers, or with its own rules: nothing in it is converted. */
export const mixedField = <T>() =>
  ({ type: mongoose.Schema.Types.Mixed, required: true }) as unknown as MixedSchema<T>;

/** Unconverted data that may be absent. */
export const mixedIfAny = <T>() =>
  ({ type: mongoose.Schema.Types.Mixed }) as unknown as Omit<MixedSchema<T>, 'required'> & {
    readonly allowNull: false;
  };

/** Unconverted data that may be null, but not absent. */
export const mixedOrNull = <T>() =>
  ({ type: mongoose.Schema.Types.Mixed, default: null }) as unknown as Omit<
    MixedSchema<T | null>,
    'required'
  > & { readonly default: null };
