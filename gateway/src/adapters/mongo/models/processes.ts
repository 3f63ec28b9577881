import type { mongo } from 'mongoose';
import type { RoutesReload } from '../../../application/ports/providers.ts';
import { clockVotes } from '../../../domain/time/clockWitness.ts';
import { codecOf } from './codec.ts';
import {
  count,
  documentSchema,
  flag,
  mixedField,
  mixedIfAny,
  oneOf,
  type StoredOf,
  text,
  textIfAny,
  time,
} from './schema.ts';

/** Live processes, by their ids. */
export const processSchema = documentSchema('processes', {
  _id: text,
  role: oneOf(['all', 'api', 'worker', 'command']),
  host: text,
  seenAt: time,
  /** The schema version of its code. */
  codeVersion: count,
  /** The process's sample of the database's time. */
  clock: oneOf(clockVotes),
  /** Ids of its sessions for transactions. */
  sessions: mixedField<mongo.Binary[]>(),
  /** Whether others have taken over its work. */
  released: flag,
  /** The request to reload the routes, and the result of the last one. */
  reloadRequest: textIfAny,
  reloaded: mixedIfAny<(Partial<RoutesReload> & { request: string }) | null>(),
}).index({ seenAt: 1 }, { name: 'gone', expireAfterSeconds: 60 });

/** A process as it is stored. */
export type StoredProcess = StoredOf<typeof processSchema>;

/** Leases by purpose: the worker that holds one polls for all. */
export const leaseSchema = documentSchema('leases', {
  _id: text,
  /** A process id. */
  holder: text,
  until: time,
});

/** Time of each upkeep task's last finished round, by task and shard. */
export const upkeepRoundSchema = documentSchema('upkeepRounds', {
  _id: text,
  task: text,
  shard: count,
  finishedAt: time,
});

export const upkeepRoundCodec = codecOf<{
  id: string;
  task: string;
  shard: number;
  finishedAt: number;
}>()(upkeepRoundSchema);
