import { createRequire } from 'node:module';
import type { Connection, mongo, Schema } from 'mongoose';
import { isDuplicate } from './errors.ts';
import type * as All from './models/all.ts';
import type { StoredOf } from './models/schema.ts';
import type { TypedCollection } from './models/statements.ts';
import type { TypedModel } from './models/typedModel.ts';
import type { InTransaction } from './transactions.ts';

/** The name in the database of each collection. */
export const collectionNames = {
  accounts: 'accounts',
  /** The accounts of e-mail addresses, external ids, hashes of keys and identities. */
  accountLookups: 'accountLookups',
  generations: 'generations',
  ledger: 'ledger',
  /** The accounts of references of grants and adjustments. */
  references: 'references',
  /** Agenda's own collection; its documents have an ObjectId. */
  jobs: 'agendaJobs',
  /** Live processes, by process id of ours. */
  processes: 'processes',
  /** The lease of the worker that polls for all. */
  leases: 'leases',
  /** When the upkeep tasks last finished a round, by task and shard. */
  upkeepRounds: 'upkeepRounds',
  sessions: 'sessions',
  /** Links of the operator's product that sign customers in. */
  signInLinks: 'signInLinks',
  /** Sign-ons at a provider that are under way. */
  signOnRequests: 'signOnRequests',
  /** Questions sent by mail. */
  confirmations: 'confirmations',
  /** Second factors of customers, by account id. */
  customerFactors: 'customerFactors',
  /** Counters against guessing and flooding. */
  attempts: 'attempts',
  /** Versions of the catalogue, by number. */
  catalogues: 'catalogues',
  /** Customers' named groups of generations. */
  collections: 'collections',
  /** How providers are doing, by their names in the routes file. */
  breakers: 'breakers',
  /** How deliveries of routes compare with their orders, by provider and model. */
  deliveries: 'deliveries',
  /** Places of providers that processes have reserved, by the providers' names in the routes file. */
  slots: 'providerSlots',
  /** The generations of providers' tasks. */
  providerTasks: 'providerTasks',
  /** Cost of orders at providers with a budget, by day, provider and currency. */
  spending: 'spending',
  /** Accepted uses of real-person mode, by generation id. */
  realPersonAudit: 'realPersonAudit',
  /** When API keys were last used. */
  keyUses: 'keyUses',
  /** Revoked keys that have left their account, by key id. */
  formerKeys: 'formerKeys',
  /** How far erased accounts' generations are erased, by account id. */
  erasures: 'erasures',
  /** Searches through all collections, by their purpose. */
  searches: 'searches',
  /** Staff: the audit log, second factors by account id, and sessions by the hash of their cookie. */
  staffAudit: 'staffAudit',
  staffFactors: 'staffFactors',
  staffSessions: 'staffSessions',
  /** Passkeys of staff, by the id of the credential. */
  passkeys: 'passkeys',
  /** Actions of staff that wait for a second admin. */
  staffProposals: 'staffProposals',
  /** Who did what in accounts, for their owners. */
  teamLog: 'teamLog',
  /** Files that accounts have given to the studio. */
  uploads: 'uploads',
  /** Public links to generations, by generation id. */
  shares: 'shares',
  invitations: 'invitations',
  /** Mails that wait to be sent, and those that could not be delivered. */
  mails: 'mails',
  /** Owners' mail settings and the mails already sent, by account id. */
  notices: 'notices',
  /** The operator API: its keys, and its answers by request id. */
  operatorKeys: 'operatorKeys',
  operatorRequests: 'operatorRequests',
  /** Events of the operator API, but for entries of the ledger and ends of generations. */
  operatorEvents: 'operatorEvents',
  /** The last positions of feeds, by name. */
  feeds: 'feeds',
  /** Until when versions of secrets made anything, by the list's name and the version. */
  secretVersions: 'secretVersions',
  /** Migrations that were run, by their versions, and the lock under which they are. */
  migrations: 'migrations',
} as const;

/** The name of a collection in the code. */
export type CollectionName = keyof typeof collectionNames;
type Schemas = typeof All.schemas;

/** Our collections, by the driver that mongoose brings: no casting, no hydration, known fields only. */
export type Collections = {
  [N in CollectionName]: N extends keyof Schemas
    ? TypedCollection<StoredOf<Schemas[N]>>
    : mongo.Collection;
};

/** The collections of one connection. */
export function collectionsOf(connection: Connection): Collections {
  const db = connection.getClient().db(connection.name);
  const named = Object.entries(collectionNames).map(([key, name]) => [key, db.collection(name)]);
  return Object.fromEntries(named) as Collections;
}

/** Mongoose's models of our collections, for statements off the hot paths. */
export type Models = { [N in keyof Schemas]: TypedModel<StoredOf<Schemas[N]>> };

const load = createRequire(import.meta.url);

/** The models of one connection. Each is compiled on first use: a command of `npm run admin` needs few or none. */
export function modelsOf(connection: Connection): Models {
  const compile = (key: keyof Schemas): unknown => {
    const { schemas } = load('./models/all.ts') as typeof All;
    return connection.models[key] ?? connection.model(key, schemas[key] as Schema);
  };
  const named = Object.keys(collectionNames).map((key) => [
    key,
    { enumerable: true, get: () => compile(key as keyof Schemas) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(named) as PropertyDescriptorMap) as Models;
}

/** A guarded write missed: another process has written the document since it was read. */
export class VersionConflict extends Error {}

/** Whether an error is a `VersionConflict`. */
export const isVersionConflict = (error: unknown): boolean => error instanceof VersionConflict;

/** The collection of a helper for several: the compiler cannot tell the fields of a type that is a parameter. */
const untyped = (collection: { collectionName: string }) =>
  collection as unknown as mongo.Collection<{ _id: string; version: number }>;

/**
 * Writes a document under the version that was read, and raises the version by one.
 * @param before The version that was read; 0 where there was no document, which is inserted then.
 * @throws VersionConflict
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
  const collection = untyped(typed);
  const next = { ...fields, version: before + 1 };
  if (before === 0) {
    try {
      await collection.insertOne({ _id: id, ...next }, options);
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  } else {
    const written = await collection.updateOne(
      { _id: id, version: before },
      { $set: next },
      options,
    );
    if (written.modifiedCount === 1) return;
  }
  throw new VersionConflict(`${collection.collectionName} ${id} has changed`);
}

const pageSize = 500;

/** The ids that a cursor finds, in pages. */
export async function* pagesOf(
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
