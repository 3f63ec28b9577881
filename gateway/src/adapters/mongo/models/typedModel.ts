import type { ClientSession, mongo } from 'mongoose';
import type {
  Filter,
  Path,
  ProjectedDocument,
  Projection,
  TypedCollection,
  Update,
} from './statements.ts';

/** A read that is sent when the result of `lean` is awaited: plain documents, no hydration. */
interface LeanQuery<Found> {
  lean(): PromiseLike<Found>;
}

/** The order, limit and index of a list, and its server-side time limit. */
export interface ListOptions<T> {
  sort?: { readonly [Name in Path<T>]?: 1 | -1 };
  limit?: number;
  hint?: string;
  maxTimeMS?: number;
}

interface WriteOptions {
  session?: ClientSession;
  upsert?: boolean;
  /** Marks the update as a pipeline; Mongoose refuses pipelines without it. */
  updatePipeline?: true;
}

/**
 * Mongoose's model with statements that name known fields only; Mongoose's own types allow any. At run time it casts
 * values and refuses unknown fields; use it where microseconds do not matter.
 */
export interface TypedModel<T extends { _id: string }> {
  /** The driver's collection, for reads: Mongoose takes as long to cast a filter as the driver to send it. */
  readonly collection: Pick<TypedCollection<T>, 'find' | 'findOne'>;
  findOne<const P extends Projection<T> | undefined = undefined>(
    filter: Filter<T>,
    projection?: P & { readonly [Name in Exclude<keyof P, Path<T>>]: never },
  ): LeanQuery<ProjectedDocument<T, P> | null>;
  find<const P extends Projection<T> | undefined = undefined>(
    filter: Filter<T>,
    projection?: P & { readonly [Name in Exclude<keyof P, Path<T>>]: never },
    options?: ListOptions<T>,
  ): LeanQuery<ProjectedDocument<T, P>[]>;
  findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options?: WriteOptions & { returnDocument?: 'before' | 'after' },
  ): LeanQuery<T | null>;
  countDocuments(filter: Filter<T>): PromiseLike<number>;
  /** Validates the document and writes it. */
  insertOne(document: T): Promise<unknown>;
  updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options?: WriteOptions,
  ): PromiseLike<mongo.UpdateResult>;
  updateMany(
    filter: Filter<T>,
    update: Update<T>,
    options?: WriteOptions,
  ): PromiseLike<mongo.UpdateResult>;
  deleteOne(filter: Filter<T>): PromiseLike<mongo.DeleteResult>;
  deleteMany(filter: Filter<T>): PromiseLike<mongo.DeleteResult>;
}
