import { aggregate } from 'mingo';
import type { mongo } from 'mongoose';
import { collectionNames, type Collections } from '../../gateway/src/adapters/mongo/collections.ts';
import {
  lostAnswer,
  momentAt,
  writeConflict,
  type MemoryDatabase,
  type Transaction,
} from './memoryDatabase.ts';
import { copy, inOrder, projected, type Doc, type Filter } from './statements.ts';
import type { VirtualTime } from './virtualTime.ts';

/**
 * What happens to a statement: it never arrives, its answer is lost, it comes only when every lease has lapsed, or a
 * commit is given up by the server without an answer.
 */
export type Trouble = 'refused' | 'lost' | 'late' | 'gone';

/** The process behind a connection. */
export interface Host {
  isDead(): boolean;
  /** The trouble of the statement that begins now. */
  trouble(): Trouble | null;
  fraction(): number;
}

/** Longest way of a statement or an answer, and of one that is late, in ms. */
const wayMs = 4;
const lateMs = 60_000;

/** A session as statements know it. */
interface Session {
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

/** A statement of a bulk. */
interface Statement {
  updateOne?: { filter: Filter; update: unknown; upsert?: boolean };
  updateMany?: { filter: Filter; update: unknown };
  insertOne?: { document: Doc };
  deleteOne?: { filter: Filter };
}

const never = () => new Promise<never>(() => undefined);
const isConflict = (error: unknown) => (error as { code?: number }).code === 112;

/** A connection of one process to the database in memory, as far as the stores use the driver. */
export function connectInMemory(database: MemoryDatabase, time: VirtualTime, host: Host) {
  const way = async () => {
    await time.sleep(host.fraction() * wayMs);
    if (host.isDead()) await never();
  };

  /** A write waits for the transaction that holds its document; within a transaction it fails. */
  async function unconflicted<T>(work: () => T, session?: Session): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (session?.transaction) database.abort(session.transaction);
        if (session?.transaction || !isConflict(error)) throw error;
        await way();
      }
    }
  }

  async function ask<T>(work: () => Promise<T> | T, session?: Session): Promise<T> {
    const trouble = host.trouble();
    const label = session?.transaction ? 'TransientTransactionError' : 'RetryableWriteError';
    await way();
    if (trouble === 'late') await time.sleep(lateMs * host.fraction());
    if (host.isDead()) await never();
    if (trouble === 'refused') throw lostAnswer(label);
    const answer = await work();
    await way();
    if (trouble === 'lost') throw lostAnswer(label);
    return answer;
  }

  const begun = new Set<Transaction>();

  class OwnSession implements Session {
    transaction: Transaction | null = null;
    snapshotTime: mongo.Timestamp | undefined;
    private isCommitted = false;
    startTransaction(): void {
      this.transaction = database.begin();
      begun.add(this.transaction);
    }
    inTransaction(): boolean {
      return this.transaction !== null && !this.transaction.isOver;
    }
    async commitTransaction(): Promise<void> {
      const { transaction } = this;
      const trouble = host.trouble();
      await way();
      if (trouble === 'late') await time.sleep(lateMs * host.fraction());
      if (host.isDead()) await never();
      if (!transaction || this.isCommitted) return;
      if (trouble === 'gone') database.abort(transaction);
      if (trouble === 'refused' || trouble === 'gone') {
        throw lostAnswer('UnknownTransactionCommitResult');
      }
      if (transaction.isOver) throw writeConflict();
      database.commit(transaction);
      this.isCommitted = true;
      await way();
      if (trouble === 'lost') throw lostAnswer('UnknownTransactionCommitResult');
    }
    async abortTransaction(): Promise<void> {
      if (this.transaction) database.abort(this.transaction);
    }
    async endSession(): Promise<void> {
      if (!this.transaction) return;
      if (!this.isCommitted) database.abort(this.transaction);
      begun.delete(this.transaction);
    }
  }

  function collection(name: string) {
    const find = (filter: Filter, { session, sort, skip = 0, limit }: Options) => {
      const found = database.find(name, filter, session?.transaction ?? null);
      if (sort) found.sort(inOrder(sort));
      return found.slice(skip, limit ? skip + limit : undefined);
    };
    const shown = (doc: Doc, { projection }: Options) => copy(projected(doc, projection));

    function update(change: { filter: Filter; update: unknown }, options: Options, many: boolean) {
      const within = options.session?.transaction ?? null;
      const found = find(change.filter, { ...options, ...(!many && { limit: 1 }) });
      const pairs = found.map((doc) => [doc, database.update(name, doc, change, within)] as const);
      const made =
        pairs.length === 0 && options.upsert ? database.upsert(name, change, within) : null;
      return {
        matchedCount: pairs.length,
        modifiedCount: pairs.filter(([before, after]) => before !== after).length,
        upsertedCount: made ? 1 : 0,
        changed: pairs[0] ?? (made && ([null, made] as const)),
      };
    }

    function remove(filter: Filter, options: Options, many: boolean) {
      const found = find(filter, { ...options, ...(!many && { limit: 1 }) });
      for (const doc of found) database.remove(name, doc, options.session?.transaction ?? null);
      return { deletedCount: found.length };
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
        let failure: unknown = null;
        for (const each of statements) {
          try {
            const told = await unconflicted(() => write(each, options), options.session);
            for (const key of Object.keys(sum) as (keyof typeof sum)[]) {
              sum[key] += (told as Partial<typeof sum>)[key] ?? 0;
            }
          } catch (error) {
            if (options.ordered !== false) throw error;
            failure ??= error;
          }
        }
        if (failure instanceof Error) throw failure;
        return sum;
      }, options.session);
    }

    const one = <T>(work: (options: Options) => T, options: Options = {}) =>
      ask(() => unconflicted(() => work(options), options.session), options.session);

    function cursor(read: () => Promise<Doc[]>) {
      let buffered: Promise<Doc[]> | null = null;
      let left: Doc[] | null = null;
      const all = () => (buffered ??= read());
      const self = {
        batchSize: () => self,
        toArray: all,
        async hasNext() {
          left ??= await all();
          return left.length > 0;
        },
        readBufferedDocuments: () => left?.splice(0) ?? [],
        close: async () => undefined,
        async *[Symbol.asyncIterator]() {
          yield* await all();
        },
      };
      return self;
    }

    return {
      collectionName: name,
      find: (filter: Filter = {}, options: Options = {}) =>
        cursor(() =>
          ask(() => find(filter, options).map((doc) => shown(doc, options)), options.session),
        ),
      findOne: (filter: Filter, options: Options = {}) =>
        ask(() => {
          const [found] = find(filter, { ...options, limit: 1 });
          return found ? shown(found, options) : null;
        }, options.session),
      aggregate: (pipeline: object[]) =>
        cursor(() =>
          ask(() => aggregate(find({}, {}).map(copy) as never, pipeline as never) as Doc[]),
        ),
      countDocuments: (filter: Filter = {}, options: Options = {}) =>
        ask(
          () =>
            find(filter, { ...options, ...(options.limit === Infinity && { limit: 0 }) }).length,
          options.session,
        ),
      estimatedDocumentCount: () => ask(() => find({}, {}).length),
      distinct: (field: string, filter: Filter = {}) =>
        ask(() => [...new Set(find(filter, {}).map((doc) => doc[field]))]),
      insertOne: (document: Doc, options: Options = {}) =>
        one((own) => write({ insertOne: { document } }, own), options),
      insertMany: (documents: readonly Doc[], options: Options = {}) =>
        bulkWrite(
          documents.map((document) => ({ insertOne: { document } })),
          options,
        ),
      updateOne: (filter: Filter, change: unknown, options: Options = {}) =>
        one((own) => update({ filter, update: change }, own, false), options),
      updateMany: (filter: Filter, change: unknown, options: Options = {}) =>
        one((own) => update({ filter, update: change }, own, true), options),
      findOneAndUpdate: (filter: Filter, change: unknown, options: Options = {}) =>
        one((own) => {
          const [before, after] = update({ filter, update: change }, own, false).changed ?? [];
          const doc = options.returnDocument === 'after' ? after : before;
          return doc ? shown(doc, options) : null;
        }, options),
      deleteOne: (filter: Filter, options: Options = {}) =>
        one((own) => remove(filter, own, false), options),
      deleteMany: (filter: Filter, options: Options = {}) =>
        one((own) => remove(filter, own, true), options),
      bulkWrite,
    };
  }

  const named = Object.entries(collectionNames).map(([key, name]) => [key, collection(name)]);
  return {
    collections: Object.fromEntries(named) as unknown as Collections,
    /** Ends the transactions that a dead process has left open. */
    endSessions: (): void => {
      for (const each of begun) database.abort(each);
      begun.clear();
    },
    client: {
      startSession({ snapshot = false } = {}) {
        const session = new OwnSession();
        if (snapshot) {
          session.startTransaction();
          session.snapshotTime = momentAt(time.databaseNow());
        }
        return session;
      },
    } as unknown as mongo.MongoClient,
  };
}
