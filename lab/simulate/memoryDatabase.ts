import mongoose from 'mongoose';
import {
  changedBy,
  copy,
  type Doc,
  type Filter,
  idText,
  isOperators,
  keysOf,
  testOf,
} from './statements.ts';

const { MongoServerError, MongoNetworkError, Timestamp } = mongoose.mongo;

type Table = ReadonlyMap<string, Doc>;
/** The documents of all collections, by name and key. */
export type Tables = ReadonlyMap<string, Table>;

/** The unique indexes of the money path, by their names; null for a document that is not in the index. */
const uniqueIndexes: Record<string, Record<string, (doc: Doc) => string | null>> = {
  generations: {
    accountScope: ({ accountId, replay }) =>
      replay ? `${String(accountId)} ${(replay as { scope: string }).scope}` : null,
  },
  ledger: {
    accountGenerationKind: ({ accountId, generationId, kind }) =>
      typeof generationId === 'string'
        ? `${String(accountId)} ${generationId} ${String(kind)}`
        : null,
    accountReference: ({ accountId, reference }) =>
      typeof reference === 'string' ? `${String(accountId)} ${reference}` : null,
  },
};

const labelError = (message: string, code: number, ...labels: string[]) =>
  new MongoServerError({ message, code, errorLabels: labels });
/** The error of a write that another transaction holds up. */
export const writeConflict = () => labelError('WriteConflict', 112, 'TransientTransactionError');
const duplicate = (collection: string, index: string, key: string) =>
  labelError(
    `E11000 duplicate key error collection: simulated.${collection} index: ${index} dup key: { _id: "${key}" }`,
    11000,
  );
/** A response that did not arrive. */
export const lostResponse = (...labels: string[]) => {
  const error = new MongoNetworkError('connection closed');
  for (const label of labels) error.addErrorLabel(label);
  return error;
};

/** A transaction: its snapshot, and its own writes. */
export class Transaction {
  snapshot: Tables;
  readonly writes = new Map<string, Map<string, Doc | null>>();
  isOver = false;
  constructor(snapshot: Tables) {
    this.snapshot = snapshot;
  }
}

/**
 * Collections in memory with the parts of MongoDB that the money path uses: filters and updates (by mingo), unique
 * indexes, transactions on snapshots, and write conflicts between them. Every statement takes effect in one moment.
 */
export class MemoryDatabase {
  tables = new Map<string, Map<string, Doc>>();
  readonly open = new Set<Transaction>();

  /** The current state. */
  snapshot(): Tables {
    return new Map([...this.tables].map(([name, table]) => [name, new Map(table)]));
  }

  /** Continues with an older state; unfinished work is lost. */
  restore(tables: Tables): void {
    for (const each of this.open) this.abort(each);
    this.tables = new Map([...tables].map(([name, table]) => [name, new Map(table)]));
  }

  begin(): Transaction {
    const begun = new Transaction(this.snapshot());
    this.open.add(begun);
    return begun;
  }

  abort(transaction: Transaction): void {
    transaction.isOver = true;
    this.open.delete(transaction);
  }

  commit(transaction: Transaction): void {
    for (const [name, writes] of transaction.writes) {
      for (const [key, doc] of writes) {
        if (doc === null) this.table(name).delete(key);
        else this.table(name).set(key, doc);
      }
    }
    this.abort(transaction);
  }

  find(name: string, filter: Filter, within: Transaction | null): Doc[] {
    const { _id, ...rest } = filter;
    const keys = keysOf(_id);
    const documents: Doc[] = [];
    const fits = testOf(keys ? rest : filter);
    const checkDeadline = (key: string, doc: Doc | null | undefined) => {
      if (doc && (!keys || keys.has(key)) && fits(doc)) documents.push(doc);
    };
    const base: Table | undefined = within ? within.snapshot.get(name) : this.tables.get(name);
    const writes = within?.writes.get(name);
    if (keys) {
      for (const key of keys) {
        checkDeadline(key, writes?.has(key) ? writes.get(key) : base?.get(key));
      }
      return documents;
    }
    for (const [key, doc] of base ?? []) if (!writes?.has(key)) checkDeadline(key, doc);
    for (const [key, doc] of writes ?? []) checkDeadline(key, doc);
    return documents;
  }

  /** @throws A duplicate or, next to another transaction, a write conflict. */
  insert(name: string, newDoc: Doc, within: Transaction | null): void {
    const doc = copy(newDoc);
    const key = idText(doc['_id']);
    this.guard(name, key, within);
    const view = (each: string) => this.find(name, { _id: each }, within)[0];
    if (view(key)) throw duplicate(name, '_id_', key);
    this.checkUnique(name, key, doc, within);
    this.put(name, key, doc, within);
  }

  remove(name: string, doc: Doc, within: Transaction | null): void {
    const key = idText(doc['_id']);
    this.guard(name, key, within);
    this.put(name, key, null, within);
  }

  /** @returns The changed document, or the same one if nothing changed. */
  update(
    name: string,
    doc: Doc,
    change: { filter: Filter; update: unknown },
    within: Transaction | null,
  ): Doc {
    const key = idText(doc['_id']);
    this.guard(name, key, within);
    const changed = changedBy(doc, change);
    if (changed === doc) return doc;
    this.checkUnique(name, key, changed, within);
    this.put(name, key, changed, within);
    return changed;
  }

  /** Inserts the document of an upsert without a match. */
  upsert(
    name: string,
    change: { filter: Filter; update: unknown },
    within: Transaction | null,
  ): Doc {
    const { filter, update } = change;
    const equal = Object.entries(filter).filter(
      ([field, value]) => !field.startsWith('$') && !isOperators(value),
    );
    const empty: Doc = Object.fromEntries(equal);
    const { $setOnInsert: first = {}, ...rest } = Array.isArray(update)
      ? {}
      : (update as { $setOnInsert?: Doc });
    const document = changedBy(
      { ...empty, ...first },
      {
        filter: {},
        update: Array.isArray(update) ? update : rest,
      },
    );
    this.insert(name, document, within);
    return document;
  }

  private table(name: string): Map<string, Doc> {
    const current = this.tables.get(name) ?? new Map<string, Doc>();
    this.tables.set(name, current);
    return current;
  }

  private put(name: string, key: string, doc: Doc | null, within: Transaction | null): void {
    if (within) {
      const writes = within.writes.get(name) ?? new Map<string, Doc | null>();
      within.writes.set(name, writes.set(key, doc));
    } else if (doc === null) {
      this.table(name).delete(key);
    } else {
      this.table(name).set(key, doc);
    }
  }

  /** Refuses a write to a document that another transaction has written, or that changed since the snapshot. */
  private guard(name: string, key: string, within: Transaction | null): void {
    if (within?.isOver) throw lostResponse('TransientTransactionError');
    for (const other of this.open) {
      if (other !== within && other.writes.get(name)?.has(key)) throw writeConflict();
    }
    if (!within || within.writes.get(name)?.has(key)) return;
    if (within.snapshot.get(name)?.get(key) !== this.tables.get(name)?.get(key)) {
      throw writeConflict();
    }
  }

  private checkUnique(name: string, key: string, doc: Doc, within: Transaction | null): void {
    for (const [index, valueOf] of Object.entries(uniqueIndexes[name] ?? {})) {
      const value = valueOf(doc);
      if (value === null) continue;
      const has = (docs: Iterable<[string, Doc | null]>) => {
        for (const [at, other] of docs) {
          if (at !== key && other && valueOf(other) === value) return true;
        }
        return false;
      };
      if (within && has(within.writes.get(name) ?? [])) throw duplicate(name, index, value);
      if (within && has(within.snapshot.get(name) ?? [])) throw duplicate(name, index, value);
      if (has(this.tables.get(name) ?? [])) {
        throw within ? writeConflict() : duplicate(name, index, value);
      }
      for (const other of this.open) {
        if (other !== within && has(other.writes.get(name) ?? [])) throw writeConflict();
      }
    }
  }
}

/** A moment for snapshots of the ledger's audit. */
export const momentAt = (ms: number) => new Timestamp({ t: Math.floor(ms / 1_000), i: 1 });
