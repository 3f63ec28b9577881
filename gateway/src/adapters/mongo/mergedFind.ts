import type { mongo } from 'mongoose';
import type { StoredDocument } from './documents.ts';

const valuesAtMost = 200;
const queriesAtMost = 2;

interface Waiting {
  resolve(document: StoredDocument | null): void;
  reject(error: unknown): void;
}

/**
 * Finds single documents by a unique field, from the primary and majority-committed, so that a state
 * once seen never goes back. Requests that arrive while two queries are under way share the next one:
 * many reads become one `$in` query (design section 10).
 * @param options.where A filter beside the field's, such as the one of a partial index.
 */
export function createMergedFind(
  collection: mongo.Collection<StoredDocument>,
  options: {
    field: string;
    valueOf: (document: StoredDocument) => string;
    projection: mongo.Document | undefined;
    where?: mongo.Filter<StoredDocument>;
  },
): (value: string) => Promise<StoredDocument | null> {
  const { field, valueOf, projection, where = {} } = options;
  let waiting = new Map<string, Waiting[]>();
  let underWay = 0;
  let beginning = 0;

  /** Begins after this turn of the event loop, so that its other requests come along. */
  function begin(): void {
    beginning += 1;
    setImmediate(() => {
      beginning -= 1;
      void readNext();
    });
  }

  async function readNext(): Promise<void> {
    const batch = new Map([...waiting].slice(0, valuesAtMost));
    if (batch.size === 0) return;
    waiting = new Map([...waiting].slice(valuesAtMost));
    underWay += 1;
    try {
      const found = await collection
        .find(
          { ...where, [field]: { $in: [...batch.keys()] } },
          {
            ...(projection && { projection }),
            readConcern: 'majority',
            readPreference: 'primary',
            batchSize: valuesAtMost + 1,
          },
        )
        .toArray();
      const documents = new Map(found.map((document) => [valueOf(document), document]));
      for (const [value, readers] of batch) {
        for (const reader of readers) reader.resolve(documents.get(value) ?? null);
      }
    } catch (error) {
      for (const readers of batch.values()) for (const reader of readers) reader.reject(error);
    } finally {
      underWay -= 1;
      if (waiting.size > 0) begin();
    }
  }

  return (value) =>
    new Promise((resolve, reject) => {
      const readers = waiting.get(value);
      if (readers) readers.push({ resolve, reject });
      else waiting.set(value, [{ resolve, reject }]);
      if (underWay + beginning < queriesAtMost) begin();
    });
}
