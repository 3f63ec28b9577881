import type { mongo } from 'mongoose';
import type { StoredDocument } from './documents.ts';

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
