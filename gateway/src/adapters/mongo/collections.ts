import type { Connection, mongo } from 'mongoose';
import type { StoredDocument } from './documents.ts';

/** Our collections, by the driver that mongoose brings: no casting, no hydration. */
export interface Collections {
  accounts: mongo.Collection<StoredDocument>;
  generations: mongo.Collection<StoredDocument>;
  ledger: mongo.Collection<StoredDocument>;
  /** Agenda's own collection; its documents have an ObjectId. */
  jobs: mongo.Collection;
  /** Live processes, by process id of ours. */
  processes: mongo.Collection<StoredDocument>;
  /** When the lanes of upkeep last finished a round, by lane and shard. */
  lanes: mongo.Collection<StoredDocument>;
  /** The account site's sessions, by the hash of their cookie. */
  sessions: mongo.Collection<StoredDocument>;
  /** Questions sent by mail. */
  confirmations: mongo.Collection<StoredDocument>;
  /** Counters against guessing and flooding. */
  attempts: mongo.Collection<StoredDocument>;
  /** How providers are doing, by their names in the routes file. */
  breakers: mongo.Collection<StoredDocument>;
  /** Places of providers that processes have reserved, by the providers' names in the routes file. */
  places: mongo.Collection<StoredDocument>;
  /** What orders at providers with a budget cost, by day, provider and currency. */
  spending: mongo.Collection<StoredDocument>;
  /** Accepted uses of real-person mode, by generation id. */
  realPersonAudit: mongo.Collection<StoredDocument>;
  /** When API keys were last used. */
  keyUses: mongo.Collection<StoredDocument>;
  /** Revoked keys that have left their account, by key id. */
  formerKeys: mongo.Collection<StoredDocument>;
  /** How far erased accounts' generations are erased, by account id. */
  erasures: mongo.Collection<StoredDocument>;
  /** Staff: the audit log, second factors by account id, and sessions by the hash of their cookie. */
  staffAudit: mongo.Collection<StoredDocument>;
  staffFactors: mongo.Collection<StoredDocument>;
  staffSessions: mongo.Collection<StoredDocument>;
  /** Actions of staff that wait for a second admin. */
  staffProposals: mongo.Collection<StoredDocument>;
  /** Files that accounts have given to the studio. */
  uploads: mongo.Collection<StoredDocument>;
  /** Mails that wait to be sent, and those that could not be delivered. */
  mails: mongo.Collection<StoredDocument>;
  /** Migrations that were run, by their versions, and the lock under which they are. */
  migrations: mongo.Collection<StoredDocument>;
}

/** The collections of one connection. */
export function collectionsOf(connection: Connection): Collections {
  const db = connection.getClient().db(connection.name);
  return {
    accounts: db.collection('accounts'),
    generations: db.collection('generations'),
    ledger: db.collection('ledger'),
    jobs: db.collection('agendaJobs'),
    processes: db.collection('processes'),
    lanes: db.collection('lanes'),
    sessions: db.collection('sessions'),
    confirmations: db.collection('confirmations'),
    attempts: db.collection('attempts'),
    breakers: db.collection('breakers'),
    places: db.collection('providerPlaces'),
    spending: db.collection('spending'),
    realPersonAudit: db.collection('realPersonAudit'),
    keyUses: db.collection('keyUses'),
    formerKeys: db.collection('formerKeys'),
    erasures: db.collection('erasures'),
    staffAudit: db.collection('staffAudit'),
    staffFactors: db.collection('staffFactors'),
    staffSessions: db.collection('staffSessions'),
    staffProposals: db.collection('staffProposals'),
    uploads: db.collection('uploads'),
    mails: db.collection('mails'),
    migrations: db.collection('migrations'),
  };
}
