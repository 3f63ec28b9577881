import type { mongo } from 'mongoose';

/** The position of a member in an array: its number, or the one found by a filter. */
type Index = number | '$' | '$[]' | `$[${string}]`;

type Leaf = string | number | bigint | boolean | Date | Uint8Array | mongo.ObjectId | mongo.Binary;

/** The names of all fields, with dots, through parts and arrays; fields below Mixed are not checked. */
export type Path<T> = T extends unknown
  ? {
      [Name in keyof T & string]: Name | `${Name}.${NestedPath<NonNullable<T[Name]>>}`;
    }[keyof T & string]
  : never;

type NestedPath<T> = unknown extends T
  ? string
  : T extends Leaf
    ? never
    : T extends readonly (infer Item)[]
      ? `${Index}` | NestedPath<NonNullable<Item>> | `${Index}.${NestedPath<NonNullable<Item>>}`
      : string extends keyof T
        ? string
        : Path<T>;

/** Type of the value under a path. */
type ValueAt<T, P extends string> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? P extends `${Index}`
      ? Item
      : P extends `${Index}.${infer Rest}`
        ? ValueAt<NonNullable<Item>, Rest>
        : ValueAt<NonNullable<Item>, P>
    : string extends keyof T
      ? unknown
      : P extends keyof T
        ? T[P]
        : P extends `${infer Head}.${infer Rest}`
          ? Head extends keyof T
            ? ValueAt<NonNullable<T[Head]>, Rest>
            : never
          : never;

type ArrayMember<T> = T extends readonly (infer Item)[] ? Item : T;

interface Operators<V> {
  $eq?: V | ArrayMember<V> | null;
  $ne?: V | ArrayMember<V> | null;
  $gt?: ArrayMember<V>;
  $gte?: ArrayMember<V>;
  $lt?: ArrayMember<V>;
  $lte?: ArrayMember<V>;
  $in?: readonly (ArrayMember<V> | null)[];
  $nin?: readonly (ArrayMember<V> | null)[];
  $all?: readonly ArrayMember<V>[];
  $exists?: boolean;
  $type?: string;
  $size?: number;
  $regex?: RegExp | string;
  $options?: string;
  $not?: Operators<V>;
  $elemMatch?: ArrayMember<V> extends Leaf ? Operators<ArrayMember<V>> : Filter<ArrayMember<V>>;
}

type Condition<V> = unknown extends V
  ? unknown
  : | Exclude<V, undefined>
    | ArrayMember<NonNullable<V>>
    | null
    | (V extends string ? RegExp : never)
    | Operators<NonNullable<V>>;

/** A filter that names only known fields. */
export type Filter<T> = { readonly [P in Path<T>]?: Condition<ValueAt<T, P>> } & {
  readonly $and?: readonly Filter<T>[];
  readonly $or?: readonly Filter<T>[];
  readonly $nor?: readonly Filter<T>[];
  readonly $expr?: unknown;
};

/** A filter for one document. The compiler cannot tell the paths of a type parameter. */
export const byId = <T extends { _id: string }>(id: string): Filter<T> => ({ _id: id }) as never;

type Values<T> = { readonly [P in Path<T>]?: ValueAt<T, P> };
type AddedItems<V> =
  V | { $each: readonly V[]; $slice?: number; $sort?: unknown; $position?: number };

interface Operations<T> {
  $set?: Values<T>;
  $setOnInsert?: Values<T>;
  $unset?: { readonly [P in Path<T>]?: true };
  $inc?: { readonly [P in Path<T>]?: number };
  $min?: Values<T>;
  $max?: Values<T>;
  $push?: { readonly [P in Path<T>]?: AddedItems<ArrayMember<NonNullable<ValueAt<T, P>>>> };
  $addToSet?: { readonly [P in Path<T>]?: AddedItems<ArrayMember<NonNullable<ValueAt<T, P>>>> };
  $pull?: {
    readonly [P in Path<T>]?:
      | Condition<ArrayMember<NonNullable<ValueAt<T, P>>>>
      | Filter<ArrayMember<NonNullable<ValueAt<T, P>>>>;
  };
}

/** A stage of an update that the database computes; its values are expressions. */
type UpdateStage<T> =
  | { $set: { readonly [P in Path<T>]?: unknown } }
  | { $unset: Path<T> | readonly Path<T>[] }
  | { $replaceWith: unknown };

/** An update that names only known fields. */
export type Update<T> = Operations<T> | readonly UpdateStage<T>[];

/** A field that the server returns, or leaves out (`$$REMOVE`), by an expression. */
interface Conditional {
  readonly $cond: readonly unknown[];
}

/** The fields that a response returns, or leaves out. */
export type Projection<T> = {
  readonly [P in Path<T>]?:
    0 | 1 | boolean | { $elemMatch: unknown } | { $slice: unknown } | Conditional;
};

type PathNames<P> = keyof P extends infer Name
  ? Name extends `${infer Head}.${string}`
    ? Head
    : Name
  : never;

type ConditionalNames<P> = {
  [Name in keyof P]: P[Name] extends Conditional ? Name : never;
}[keyof P];

/** The part of a document left by a projection. */
export type ProjectedDocument<T, P> = [P] extends [undefined]
  ? T
  : P[keyof P] extends 0 | false
    ? Omit<T, keyof P>
    : Pick<T, Extract<Exclude<PathNames<P>, ConditionalNames<P>> | '_id', keyof T>> &
        Partial<Pick<T, Extract<ConditionalNames<P>, keyof T>>>;

type Options<T, O, P> = Omit<O, 'projection' | 'sort'> & {
  projection?: P & { readonly [Name in Exclude<keyof P, Path<T>>]: never };
  sort?: { readonly [Name in Path<T>]?: 1 | -1 };
};

interface One<T> {
  filter: Filter<T>;
  update: Update<T>;
  upsert?: boolean;
  hint?: string;
}

/** Statements of one bulk. */
export type BulkStatement<T> =
  | { updateOne: One<T> }
  | { updateMany: One<T> }
  | { insertOne: { document: T } }
  | { deleteOne: { filter: Filter<T> } };

type DriverCollection<T extends { _id: string }> = mongo.Collection<T>;

/**
 * The driver's collection with statements that name known fields only. A projection that names fields decides the
 * type of the documents read.
 */
export interface TypedCollection<T extends { _id: string }> extends Pick<
  DriverCollection<T>,
  | 'collectionName'
  | 'aggregate'
  | 'createIndexes'
  | 'dropIndex'
  | 'estimatedDocumentCount'
  | 'indexes'
  | 'watch'
> {
  findOne<const P extends Projection<T> | undefined = undefined>(
    filter: Filter<T>,
    options?: Options<T, mongo.FindOneOptions, P>,
  ): Promise<ProjectedDocument<T, P> | null>;
  find<const P extends Projection<T> | undefined = undefined>(
    filter?: Filter<T>,
    options?: Options<T, mongo.FindOptions, P>,
  ): mongo.FindCursor<ProjectedDocument<T, P>>;
  distinct(name: Path<T>, filter?: Filter<T>, options?: mongo.DistinctOptions): Promise<unknown[]>;
  countDocuments(filter?: Filter<T>, options?: mongo.CountDocumentsOptions): Promise<number>;
  insertOne(document: T, options?: mongo.InsertOneOptions): Promise<mongo.InsertOneResult>;
  insertMany(
    documents: readonly T[],
    options?: mongo.BulkWriteOptions,
  ): Promise<mongo.InsertManyResult>;
  updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options?: mongo.UpdateOptions,
  ): Promise<mongo.UpdateResult>;
  updateMany(
    filter: Filter<T>,
    update: Update<T>,
    options?: mongo.UpdateOptions,
  ): Promise<mongo.UpdateResult>;
  replaceOne(
    filter: Filter<T>,
    document: Omit<T, '_id'>,
    options?: mongo.ReplaceOptions,
  ): Promise<mongo.UpdateResult>;
  findOneAndUpdate<const P extends Projection<T> | undefined = undefined>(
    filter: Filter<T>,
    update: Update<T>,
    options?: Options<T, mongo.FindOneAndUpdateOptions, P>,
  ): Promise<ProjectedDocument<T, P> | null>;
  deleteOne(filter: Filter<T>, options?: mongo.DeleteOptions): Promise<mongo.DeleteResult>;
  deleteMany(filter: Filter<T>, options?: mongo.DeleteOptions): Promise<mongo.DeleteResult>;
  bulkWrite(
    statements: readonly BulkStatement<T>[],
    options?: mongo.BulkWriteOptions,
  ): Promise<mongo.BulkWriteResult>;
}
