import type { mongo } from 'mongoose';
import type { Filter, Path, Projected, Projection, TypedCollection } from './models/statements.ts';

const usualMaxTimeMS = 5_000;

/** How a page of a list is read. */
interface WindowQuery<T, P> {
  /** The range of the list, in the order of an index. */
  match: Filter<T>;
  sort: { readonly [Name in Path<T>]?: 1 | -1 };
  /** The name of that index. */
  hint: string;
  /** Further conditions, which do not narrow the range. */
  conditions: Filter<T>;
  /** Fields of the index that conditions can be judged by, without the documents. */
  indexed: readonly string[];
  /** Whether nearly all documents of the range fit the conditions. */
  mostFit: boolean;
  projection: P;
  /** Documents that one page looks at: conditions that fit nothing cost no more than that. */
  window: number;
  limit: number;
  /** How long the server may look, in ms. */
  maxTimeMS?: number;
}

/** Factor on the page size for the first, smaller window where conditions are judged by the documents. */
const fewTimes = 4;

/**
 * Reads a page of a filtered list; examines a bounded number of documents or index keys for it.
 * @returns The matching documents, and the document after which the next page begins, with the fields of its order at
 *   least; null at the end. Earlier pages may be short or empty if few documents of their window match.
 */
export async function windowPage<T extends { _id: string }, const P extends Projection<T>>(
  typed: TypedCollection<T>,
  query: WindowQuery<T, P>,
): Promise<{ found: Projected<T, P>[]; last: Projected<T, P> | null }> {
  const { match, sort, hint, conditions, indexed, mostFit, projection, window, limit } = query;
  const options = { hint, maxTimeMS: query.maxTimeMS ?? usualMaxTimeMS };
  const collection = typed as unknown as mongo.Collection<{ _id: string }>;
  const fittingOf = <F extends { _id: string }>(first: number, fields: object) => {
    const range = [{ $match: match }, { $sort: sort }, { $limit: first }];
    const stages = [...range, { $match: conditions }, { $limit: limit + 1 }, { $project: fields }];
    return collection.aggregate<F>(stages, options).toArray();
  };
  type Found = Projected<T, P> & { _id: string };
  const place = ['_id', ...Object.keys(sort)];
  if (mostFit) {
    const fitting = await fittingOf<Found>(limit + 1, projection);
    if (fitting.length > limit) return pageOf(fitting);
  }
  if (Object.entries(conditions).every(([name, value]) => isIndexed(name, value))) {
    const { ids, last } = await fittingIds();
    const those = { ...match, _id: { $in: ids } } as unknown as mongo.Filter<{ _id: string }>;
    const read = { ...options, sort, projection } as object;
    const found = ids.length === 0 ? [] : await collection.find<Found>(those, read).toArray();
    return found.length > limit ? pageOf(found) : { found, last };
  }
  // The server reads all of a window before it compares: most pages are full after a few documents.
  let fitting = await fittingOf<Found>(Math.min(window, fewTimes * (limit + 1)), projection);
  if (fitting.length <= limit) fitting = await fittingOf<Found>(window, projection);
  if (fitting.length > limit) return pageOf(fitting);
  // Answered from the index alone.
  const fields = Object.fromEntries(place.map((name) => [name, 1]));
  const end = { ...options, sort, skip: window - 1, projection: fields } as mongo.FindOneOptions;
  const last: unknown = await collection.findOne(match as mongo.Filter<{ _id: string }>, end);
  return { found: fitting, last: last as Found | null };

  function pageOf(more: Found[]) {
    const found = more.slice(0, limit);
    return { found, last: found.at(-1) ?? null };
  }

  function isIndexed(name: string, value: unknown): boolean {
    return indexed.includes(name) && (value === null || typeof value === 'string');
  }

  /** The ids of the first that fit, and the end of the window, from the index alone. */
  async function fittingIds(): Promise<{ ids: string[]; last: Found | null }> {
    const fits = Object.entries(conditions).map(([name, value]) => ({
      $eq: [{ $ifNull: [`$${name}`, null] }, value],
    }));
    const [looked] = await collection
      .aggregate<{ ids: string[]; last: Found; count: number }>(
        [
          { $match: match },
          { $sort: sort },
          { $limit: window },
          {
            $group: {
              _id: null,
              ids: { $push: { $cond: [{ $and: fits }, '$_id', '$$REMOVE'] } },
              last: { $last: Object.fromEntries(place.map((name) => [name, `$${name}`])) },
              count: { $sum: 1 },
            },
          },
          { $set: { ids: { $slice: ['$ids', limit + 1] } } },
        ],
        options,
      )
      .toArray();
    if (!looked) return { ids: [], last: null };
    return { ids: looked.ids, last: looked.count < window ? null : looked.last };
  }
}
