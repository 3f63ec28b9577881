import type { mongo } from 'mongoose';
import { shortReadMs } from '../collections.ts';
import type {
  Filter,
  Path,
  ProjectedDocument,
  Projection,
  TypedCollection,
} from '../models/statements.ts';

/** How to read a page of a list. */
interface WindowQuery<T, P> {
  /** The range of the list, in the order of an index. */
  match: Filter<T>;
  sort: { readonly [Name in Path<T>]?: 1 | -1 };
  /** The name of that index. */
  hint: string;
  /** Further conditions, which do not narrow the range. */
  conditions: Filter<T>;
  /** Whether nearly all documents of the range match the conditions, which are then plain values. */
  isUnselective: boolean;
  projection: P;
  /** Documents examined per page: conditions that match nothing cost no more. */
  maxExamined: number;
  limit: number;
  /** Server-side time limit, in ms. */
  maxTimeMS?: number;
}

/** Documents per response of the database: the thread decodes a response at once. */
const batchSize = 100;

interface WindowPage<PageDocument> {
  documents: PageDocument[];
  last: PageDocument | null;
  next: PageDocument | null;
}

/**
 * Reads a page of a filtered list, examining a bounded number of documents or index keys. Conditions on fields of the
 * index are evaluated on its keys.
 * @returns The matching documents; the document after which the next page begins, with at least the fields of its
 *   order, null at the end; and the first document of that page if it was read. Pages other than the last may be short
 *   or empty if few documents of their window match.
 */
export async function loadWindowPage<T extends { _id: string }, const P extends Projection<T>>(
  typed: TypedCollection<T>,
  query: WindowQuery<T, P>,
): Promise<WindowPage<ProjectedDocument<T, P>>> {
  type PageDocument = ProjectedDocument<T, P> & { _id: string };
  const { match, sort, hint, conditions, isUnselective, projection, maxExamined, limit } = query;
  const options = { hint, sort, batchSize, maxTimeMS: query.maxTimeMS ?? shortReadMs };
  const collection = typed as unknown as mongo.Collection<{ _id: string }>;
  const findPart = (filter: object, fields: object) =>
    collection
      .find(filter, { ...options, projection: fields, limit: limit + 1 } as mongo.FindOptions)
      .toArray() as Promise<PageDocument[]>;
  if (isUnselective) {
    const judged = Object.fromEntries(Object.keys(conditions).map((name) => [name, 1]));
    const first = await findPart(match, { ...projection, ...judged });
    const fitting = first.filter((each) => fits(each, conditions));
    if (first.length <= limit) return { documents: fitting, last: null, next: null };
    if (fitting.length > limit) return pageOf(fitting);
  }
  const [field = '_id'] = Object.keys(sort).slice(-1);
  const range = match as Readonly<Record<string, object>>;
  const fitting: PageDocument[] = [];
  let rest = range;
  let last: PageDocument | null = null;
  // Frequent values fill the page from the first part of the window.
  const firstPart = Math.ceil(maxExamined / 4);
  for (const examined of [firstPart, maxExamined - firstPart]) {
    last = await findWindowEnd(rest, examined);
    const end = last?.[field as keyof PageDocument];
    const within = last && { [field]: { ...rest[field], $gte: end } };
    // Reads only until the page is full: an aggregate would read the whole window first.
    fitting.push(...(await findPart({ ...rest, ...conditions, ...within }, projection)));
    if (fitting.length > limit) return pageOf(fitting);
    if (!last) break;
    rest = { ...range, [field]: { ...range[field], $lt: end } };
  }
  return { documents: fitting, last, next: null };

  function pageOf(more: PageDocument[]) {
    const page = more.slice(0, limit);
    return { documents: page, last: page.at(-1) ?? null, next: more[limit] ?? null };
  }

  /** The last of this many documents, from the index alone; null if the range ends before. */
  function findWindowEnd(filter: object, examined: number): Promise<PageDocument | null> {
    const place = Object.fromEntries(['_id', ...Object.keys(sort)].map((name) => [name, 1]));
    const end = { ...options, skip: examined - 1, projection: place } as mongo.FindOneOptions;
    return collection.findOne(filter, end) as Promise<PageDocument | null>;
  }
}

/** Whether a document has these values; an absent field counts as null. */
const fits = (document: object, conditions: object) =>
  Object.entries(conditions).every(
    ([name, value]) => ((document as Record<string, unknown>)[name] ?? null) === value,
  );
