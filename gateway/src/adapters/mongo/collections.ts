import { createRequire } from 'node:module';
import type { Connection, mongo, Schema } from 'mongoose';
import { ignoreDuplicate } from './errors.ts';
import type * as All from './models/all.ts';
import type { StoredOf } from './models/schema.ts';
import type { TypedCollection } from './models/statements.ts';
import type { TypedModel } from './models/typedModel.ts';
import type { InTransaction } from './transactions.ts';

/** Server-side time limit of a statement that reads few documents, in ms. */
export const shortReadMs = 5_000;

/** Options of a read that tells whether a write was committed. */
export const whetherCommitted = {
  projection: { _id: 1 },
  readConcern: 'majority',
  maxTimeMS: 2_000,
} as const;

/** Server-side time limit of a report on many documents, in ms. */
export const reportMs = 20_000;

/** Options of a report over ended generations. It uses a secondary, because it reads many documents once. */
export const endsReport = {
  hint: 'ended',
  maxTimeMS: reportMs,
  readPreference: 'secondaryPreferred',
} as const;

/** Names of the collections in the database. */
export const collectionNames = {
  accounts: 'accounts',
  /** Account ids by email address, external id, key hash and identity. */
  accountLookups: 'accountLookups',
  generations: 'generations',
  ledger: 'ledger',
  /** Account ids by reference of a grant or adjustment. */
  references: 'references',
  /** Agenda's own collection; its documents have an ObjectId. */
  jobs: 'agendaJobs',
  /** Live processes, by our own process ids. */
  processes: 'processes',
  /** The lease of the worker that polls for all processes. */
  leases: 'leases',
  /** Time of each upkeep task's last finished round, by task and shard. */
  upkeepRounds: 'upkeepRounds',
  sessions: 'sessions',
  /** Links in the operator's product that sign customers in. */
  signInLinks: 'signInLinks',
  /** Sign-ons in progress at a provider. */
  signOnRequests: 'signOnRequests',
  /** Confirmations sent by email. */
  confirmations: 'confirmations',
  /** Second factors of customers, by account id. */
  customerFactors: 'customerFactors',
  /** Rate limit counters. */
  attempts: 'attempts',
  /** Versions of the catalogue, by number. */
  catalogues: 'catalogues',
  /** Customers' named groups of generations. */
  generationCollections: 'collections',
  /** Health of providers, by their names in the routes file. */
  breakers: 'breakers',
  /** The match between routes' deliveries and their orders, by provider and model. */
  deliveries: 'deliveries',
  /** Provider slots reserved by processes, by the providers' names in the routes file. */
  slots: 'providerSlots',
  /** Generations by their provider's task. */
  providerTasks: 'providerTasks',
  /** Cost of orders at providers with a budget, by day, provider and currency. */
  spending: 'spending',
  /** Accepted uses of real-person mode, by generation id. */
  realPersonAudit: 'realPersonAudit',
  /** Times of API keys' last uses. */
  keyUses: 'keyUses',
  /** Revoked keys that have left their account, by key id. */
  formerKeys: 'formerKeys',
  /** Progress of the erasure of accounts' generations, by account id. */
  erasures: 'erasures',
  /** Searches through all collections, by their purpose. */
  searches: 'searches',
  /** Staff: the audit log, second factors by account id, and sessions by the hash of their cookie. */
  staffAudit: 'staffAudit',
  staffFactors: 'staffFactors',
  staffSessions: 'staffSessions',
  /** Passkeys of staff, by the id of the credential. */
  passkeys: 'passkeys',
  /** Staff actions waiting for a second admin. */
  staffProposals: 'staffProposals',
  /** Logs of accounts, for their owners. */
  teamLog: 'teamLog',
  /** Files uploaded to the studio. */
  uploads: 'uploads',
  /** Public links to generations, by generation id. */
  shares: 'shares',
  invitations: 'invitations',
  /** Emails waiting to be sent, and those that failed. */
  mails: 'mails',
  /** Owners' email settings and the emails already sent, by account id. */
  notices: 'notices',
  /** The operator API: its keys, and its responses by request id. */
  operatorKeys: 'operatorKeys',
  operatorRequests: 'operatorRequests',
  /** Events of the operator API, except ledger entries and ends of generations. */
  operatorEvents: 'operatorEvents',
  /** The last positions of feeds, by name. */
  feeds: 'feeds',
  /** Times of last use of versions of secrets, by the list's name and the version. */
  secretVersions: 'secretVersions',
  /** Applied migrations, by version, and their lock. */
  migrations: 'migrations',
} as const;

/** A collection's name in the code. */
export type CollectionName = keyof typeof collectionNames;
type Schemas = typeof All.schemas;

/** Collections by the driver bundled with mongoose: no casting, no hydration, known fields only. */
export type Collections = {
  [N in CollectionName]: N extends keyof Schemas
    ? TypedCollection<StoredOf<Schemas[N]>>
    : mongo.Collection;
};

/** The collections of a connection. */
export function collectionsOf(connection: Connection): Collections {
  const db = connection.getClient().db(connection.name);
  const entries = Object.entries(collectionNames).map(([key, name]) => [key, db.collection(name)]);
  return Object.fromEntries(entries) as Collections;
}

/** Mongoose's models of our collections, for statements off the hot paths. */
export type Models = { [N in keyof Schemas]: TypedModel<StoredOf<Schemas[N]>> };

const load = createRequire(import.meta.url);

/**
 * The models of one connection. Each is compiled on first use, because a command of `npm run admin` needs few or none.
 */
export function createModels(connection: Connection): Models {
  const compile = (key: keyof Schemas): unknown => {
    const { schemas } = load('./models/all.ts') as typeof All;
    return connection.models[key] ?? connection.model(key, schemas[key] as Schema);
  };
  const entries = Object.keys(collectionNames).map((key) => [
    key,
    { enumerable: true, get: () => compile(key as keyof Schemas) },
  ]);
  return Object.defineProperties(
    {},
    Object.fromEntries(entries) as PropertyDescriptorMap,
  ) as Models;
}

/** A guarded write matched nothing: another process has changed the document since it was read. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
}

/** Whether a guarded write found that its document had changed. */
export const isVersionConflict = (error: unknown): boolean => error instanceof VersionConflictError;

/** The collection, for helpers that serve several: the compiler cannot tell the fields of a type parameter. */
const untypedCollection = (collection: { collectionName: string }) =>
  collection as unknown as mongo.Collection<{ _id: string; version: number }>;

/**
 * Writes a document if its version is still the one read, and increments the version.
 * @param before The version read; 0 for no document, which is then inserted.
 * @throws VersionConflictError
 */
export async function writeVersion<T extends { _id: string; version: number }>(
  typed: TypedCollection<T>,
  {
    id,
    before,
    fields,
  }: { id: string; before: number; fields: Partial<Omit<T, '_id' | 'version'>> },
  options: { writeConcern?: { w: number } } | InTransaction = {},
): Promise<void> {
  const collection = untypedCollection(typed);
  const next = { ...fields, version: before + 1 };
  if (before === 0) {
    if (await ignoreDuplicate(collection.insertOne({ _id: id, ...next }, options))) return;
  } else {
    const result = await collection.updateOne(
      { _id: id, version: before },
      { $set: next },
      options,
    );
    if (result.modifiedCount === 1) return;
  }
  throw new VersionConflictError(`${collection.collectionName} ${id} has changed`);
}

const pageSize = 500;

/** The ids found by a cursor, in pages. */
export async function* listPages(
  cursor: mongo.FindCursor<{ _id: string }>,
): AsyncGenerator<string[]> {
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

/**
 * Documents per response, enough for the entries of an audited page; by default the server sends 16 MB of small ones.
 */
const bufferSize = 2_500;

/** The documents of a cursor, as they arrive. */
export async function* listBufferedPages<Stored, T>(
  cursor: mongo.AbstractCursor<Stored>,
  read: (document: Stored) => T,
): AsyncGenerator<T[]> {
  cursor.batchSize(bufferSize);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(read);
  } finally {
    await cursor.close();
  }
}
