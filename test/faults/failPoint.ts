import { type Document, MongoClient } from 'mongodb';

/** Effect of a server on a client's commands; see its `failCommand` fail point. */
export interface CommandFault {
  failCommands: string[];
  /** Only commands on this collection, as `database.collection`. */
  namespace?: string;
  errorCode?: number;
  closeConnection?: boolean;
  /** The command is executed, but its result is a write concern error. */
  writeConcernError?: Document;
  blockConnection?: boolean;
  blockTimeMS?: number;
}

/** The gateways' client name, so that a fault affects no other client of the server. */
export const faultyApp = 'framegate-faults';

/** A connection string with that client name. */
export const faultyUri = (uri: string): string => `${uri}&appName=${faultyApp}`;

/** Makes commands of the gateways fail: `times` of them, or all until it is switched off. */
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
