import { aggregate } from 'mingo';
import type { MemoryDatabase, Transaction } from './memoryDatabase.ts';
import { bySort, copy, type Doc, type Filter, projectDoc } from './statements.ts';

/** A session, as passed to statements. */
export interface Session {
  transaction: Transaction | null;
}

/** The driver's options that have an effect here. */
interface Options {
  session?: Session;
  sort?: Record<string, 1 | -1>;
  limit?: number;
  skip?: number;
  projection?: Record<string, unknown>;
  upsert?: boolean;
  returnDocument?: 'before' | 'after';
  ordered?: boolean;
}

/** A statement of a bulk write. */
interface Statement {
  updateOne?: { filter: Filter; update: unknown; upsert?: boolean };
  updateMany?: { filter: Filter; update: unknown };
  insertOne?: { document: Doc };
  deleteOne?: { filter: Filter };
}

/** How statements reach the database. */
interface Connection {
  database: MemoryDatabase;
  /** Sends a statement and waits for its response. */
  ask: <T>(work: () => Promise<T> | T, session?: Session) => Promise<T>;
  /** A write at the database. */
  change: <T>(work: () => T, session?: Session) => Promise<T>;
  /** Asks for a read. */
  read: <T>(work: () => T, session?: Session) => Promise<T>;
}

/** A collection as the stores use the driver's. */
export function openCollection(name: string, { database, ask, change, read }: Connection) {
  const find = (filter: Filter, { session, sort, skip = 0, limit }: Options) => {
    const documents = database.find(name, filter, session?.transaction ?? null);
    if (sort) documents.sort(bySort(sort));
    return documents.slice(skip, limit ? skip + limit : undefined);
  };
  const projectedCopy = (doc: Doc, { projection }: Options) => copy(projectDoc(doc, projection));

  function update(statement: { filter: Filter; update: unknown }, options: Options, many: boolean) {
    const within = options.session?.transaction ?? null;
    const documents = find(statement.filter, { ...options, ...(!many && { limit: 1 }) });
    const pairs = documents.map(
      (doc) => [doc, database.update(name, doc, statement, within)] as const,
    );
    const upserted =
      pairs.length === 0 && options.upsert ? database.upsert(name, statement, within) : null;
    return {
      matchedCount: pairs.length,
      modifiedCount: pairs.filter(([before, after]) => before !== after).length,
      upsertedCount: upserted ? 1 : 0,
      upserted,
      changed: pairs[0] ?? (upserted && ([null, upserted] as const)),
    };
  }

  function remove(filter: Filter, options: Options, many: boolean) {
    const documents = find(filter, { ...options, ...(!many && { limit: 1 }) });
    for (const doc of documents) database.remove(name, doc, options.session?.transaction ?? null);
    return { deletedCount: documents.length };
  }

  function write(statement: Statement, options: Options) {
    const { updateOne, updateMany, insertOne, deleteOne } = statement;
    if (updateOne) {
      return update(updateOne, { ...options, upsert: updateOne.upsert ?? false }, false);
    }
    if (updateMany) return update(updateMany, options, true);
    if (insertOne) {
      database.insert(name, insertOne.document, options.session?.transaction ?? null);
      return {};
    }
    return deleteOne ? remove(deleteOne.filter, options, false) : {};
  }

  async function bulkWrite(statements: readonly Statement[], options: Options = {}) {
    return ask(async () => {
      const sum = { matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 };
      const upsertedIds: Record<number, unknown> = {};
      let failure: unknown = null;
      for (const [index, each] of statements.entries()) {
        try {
          const result = await change(() => write(each, options), options.session);
          for (const key of Object.keys(sum) as (keyof typeof sum)[]) {
            sum[key] += (result as Partial<typeof sum>)[key] ?? 0;
          }
          const { made: upserted } = result as { made?: Doc | null };
          if (upserted) upsertedIds[index] = upserted['_id'];
        } catch (error) {
          if (options.ordered !== false) throw error;
          failure ??= error;
        }
      }
      if (failure instanceof Error) throw failure;
      return { ...sum, upsertedIds };
    }, options.session);
  }

  const writeOne = <T>(work: (options: Options) => T, options: Options = {}) =>
    ask(() => change(() => work(options), options.session), options.session);

  function cursor(readAll: (chained: Options) => Promise<Doc[]>) {
    let buffered: Promise<Doc[]> | null = null;
    let left: Doc[] | null = null;
    let chained: Options = {};
    const findAll = () => (buffered ??= readAll(chained));
    const self = {
      sort(sort: Record<string, 1 | -1>) {
        chained = { ...chained, sort };
        return self;
      },
      batchSize: () => self,
      toArray: findAll,
      async hasNext() {
        left ??= await findAll();
        return left.length > 0;
      },
      readBufferedDocuments: () => left?.splice(0) ?? [],
      close: async () => undefined,
      async *[Symbol.asyncIterator]() {
        yield* await findAll();
      },
    };
    return self;
  }

  return {
    collectionName: name,
    find: (filter: Filter = {}, options: Options = {}) =>
      cursor((chained) =>
        read(
          () => find(filter, { ...options, ...chained }).map((doc) => projectedCopy(doc, options)),
          options.session,
        ),
      ),
    findOne: (filter: Filter, options: Options = {}) =>
      read(() => {
        const [first] = find(filter, { ...options, limit: 1 });
        return first ? projectedCopy(first, options) : null;
      }, options.session),
    aggregate: (pipeline: object[]) =>
      cursor(() =>
        read(() => aggregate(find({}, {}).map(copy) as never, pipeline as never) as Doc[]),
      ),
    countDocuments: (filter: Filter = {}, options: Options = {}) =>
      read(
        () => find(filter, { ...options, ...(options.limit === Infinity && { limit: 0 }) }).length,
        options.session,
      ),
    estimatedDocumentCount: () => read(() => find({}, {}).length),
    distinct: (field: string, filter: Filter = {}) =>
      read(() => [...new Set(find(filter, {}).map((doc) => doc[field]))]),
    insertOne: (document: Doc, options: Options = {}) =>
      writeOne((own) => write({ insertOne: { document } }, own), options),
    insertMany: (documents: readonly Doc[], options: Options = {}) =>
      bulkWrite(
        documents.map((document) => ({ insertOne: { document } })),
        options,
      ),
    updateOne: (filter: Filter, operators: unknown, options: Options = {}) =>
      writeOne((own) => update({ filter, update: operators }, own, false), options),
    updateMany: (filter: Filter, operators: unknown, options: Options = {}) =>
      writeOne((own) => update({ filter, update: operators }, own, true), options),
    findOneAndUpdate: (filter: Filter, operators: unknown, options: Options = {}) =>
      writeOne((own) => {
        const [before, after] = update({ filter, update: operators }, own, false).changed ?? [];
        const doc = options.returnDocument === 'after' ? after : before;
        return doc ? projectedCopy(doc, options) : null;
      }, options),
    deleteOne: (filter: Filter, options: Options = {}) =>
      writeOne((own) => remove(filter, own, false), options),
    deleteMany: (filter: Filter, options: Options = {}) =>
      writeOne((own) => remove(filter, own, true), options),
    bulkWrite,
  };
}
