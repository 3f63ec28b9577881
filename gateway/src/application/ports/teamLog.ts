import type { TeamLogEntry } from '../../domain/teams/teamLog.ts';

/** The log of acts in accounts. Entries are appended in the transactions of their acts, and never changed. */
export interface TeamLogStore {
  /** The newest entries, or those before the id `before`. */
  listNewest(
    accountId: string,
    before: string | null,
    limit: number,
  ): Promise<(TeamLogEntry & { id: string })[]>;
}
