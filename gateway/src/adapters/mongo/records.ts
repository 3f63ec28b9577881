import type { mongo } from 'mongoose';
import { ignoreDuplicate } from './errors.ts';
import type { Codec } from './models/codec.ts';
import { byId, type Filter, type Update } from './models/statements.ts';
import type { ListOptions, TypedModel } from './models/typedModel.ts';

interface RecordList<T> extends ListOptions<T> {
  /** Fields that are not read, because they may be absent or are the store's own. */
  without?: { readonly [Name in keyof T]?: 0 };
}

/** Compared with fields by the database, so that processes' clocks do not matter. */
export const afterNowExpression = (field: 'expiresAt' | 'linkUntil') => ({
  $gt: [`$${field}`, '$$NOW'],
});

/** The codec of a store's records; other fields of its documents are ignored. */
export type RecordCodec<T, Value> = Pick<Codec<T, Value>, 'fromStored'> & {
  readonly toStored: (value: Value) => unknown;
};

/** Base of the stores of small records: values of the domain in a collection, by their ids. */
export function createRecords<T extends { _id: string }, Value extends { id: string }>(
  model: TypedModel<T>,
  codec: RecordCodec<T, Value>,
) {
  const valueOrNull = (document: T | null) => document && codec.fromStored(document);

  // The compiler cannot tell the fields of a type parameter.
  const reads = () => model.collection as unknown as mongo.Collection<{ _id: string }>;
  const findOne = async (filter: Filter<T>) =>
    valueOrNull((await reads().findOne(filter as object)) as T | null);
  return {
    findOne,
    find: (id: string) => findOne(byId(id)),
    list: async (filter: Filter<T>, { without = {}, ...options }: RecordList<T>) => {
      const readOptions = { ...options, projection: without } as mongo.FindOptions;
      const document = (await reads()
        .find(filter as object, readOptions)
        .toArray()) as unknown as T[];
      return document.map(codec.fromStored);
    },
    insert: async (value: Value) => {
      await model.insertOne(codec.toStored(value) as T);
    },
    /** @returns False if a record with this id exists. */
    insertNew: (value: Value) => ignoreDuplicate(model.insertOne(codec.toStored(value) as T)),
    /** Changes the record that matches the filter. @returns The changed record. */
    change: async (filter: Filter<T>, update: Update<T>) => {
      const options = { returnDocument: 'after', updatePipeline: true } as const;
      return valueOrNull(await model.findOneAndUpdate(filter, update, options).lean());
    },
    remove: async (id: string) => {
      await model.deleteOne(byId(id));
    },
  };
}
