import { MongoClient, type Document } from 'mongodb';

/** Effect of a server on a client's commands; see its `failCommand` fail point. */
export interface CommandFault {
  failCommands: string[];
  /** Only commands on this collection, as `database.collection`. */
  namespace?: string;
  errorCode?: number;
  closeConnection?: boolean;
  /** The command is done, and its result is a write concern error all the same. */
  writeConcernError?: Document;
  blockConnection?: boolean;
  blockTimeMS?: number;
}

/** The name that gateways give themselves, so that a fault meets no other client of the server. */
export const faultyApp = 'framegate-faults';

/** A connection string whose client calls itself by that name. */
export const faultyUri = (uri: string): string => `${uri}&appName=${faultyApp}`;

/** Lets commands of the gateways fail: `times` of them, or all of them until it is switched off. */
export async function openFailPoint(uri: string): Promise<{
  set(fault: CommandFault, times: number | 'always'): Promise<void>;
  off(): Promise<void>;
  close(): Promise<void>;
}> {
  const client = await new MongoClient(uri).connect();
  const configure = (fields: Document) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', ...fields });
  return {
    async set(fault, times) {
      const mode = times === 'always' ? 'alwaysOn' : { times };
      await configure({ mode, data: { ...fault, appName: faultyApp } });
    },
    async off() {
      await configure({ mode: 'off' });
    },
    async close() {
      await configure({ mode: 'off' });
      await client.close();
    },
  };
}
