import type { mongo } from 'mongoose';
import type { StoredDocument } from './collections.ts';

const maxTimeMS = 5_000;

/** What a page of a list is read by. */
export interface WindowQuery {
  /** The range of the list, in the order of an index. */
  match: mongo.Filter<StoredDocument>;
  sort: Readonly<Record<string, 1 | -1>>;
  /** The name of that index. */
  hint: string;
  /** What narrows the list down, and is in no index. */
  conditions: mongo.Filter<StoredDocument>;
  projection: Readonly<Record<string, number>>;
  /** Documents that one page looks at: conditions that fit nothing cost no more than that. */
  window: number;
  limit: number;
}

/**
 * Reads a page of a list that is narrowed down, and looks at a bounded number of documents for it.
 * @returns what fits, and the document behind which the next page begins; null at the end. A page may be
 *   short, or empty, before that.
 */
export async function windowPage(
  collection: mongo.Collection<StoredDocument>,
  { match, sort, hint, conditions, projection, window, limit }: WindowQuery,
): Promise<{ found: mongo.Document[]; last: mongo.Document | null }> {
  const fitting = await collection
    .aggregate(
      [
        { $match: match },
        { $sort: sort },
        { $limit: window },
        { $match: conditions },
        { $limit: limit + 1 },
        { $project: projection },
      ],
      { hint, maxTimeMS },
    )
    .toArray();
  const found = fitting.slice(0, limit);
  if (fitting.length > limit) return { found, last: found.at(-1) ?? null };
  const options = { sort, skip: window - 1, projection, hint, maxTimeMS };
  return { found, last: await collection.findOne(match, options) };
}

const pageSize = 500;

/** The ids that a cursor finds, in pages. */
export async function* pagesOf(cursor: mongo.FindCursor<StoredDocument>): AsyncGenerator<string[]> {
  let page: string[] = [];
  try {
    for await (const { _id } of cursor.batchSize(pageSize)) {
      page.push(_id);
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  } finally {
    await cursor.close();
  }
}
