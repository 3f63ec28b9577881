import type { Secrets, SecretVersion, StoredVersion } from '../../domain/secretVersions.ts';

/** The database's records of secret versions; every query is indexed. */
export interface SecretStore {
  /** Records that this process uses the first of each list for new values and has the others. */
  noteMaking(secrets: Secrets): Promise<void>;
  /** The versions with stored documents, possibly repeated, and the recorded ones. */
  findVersions(): Promise<{
    stored: SecretVersion[];
    noted: (SecretVersion & { madeUntil: number })[];
  }>;
  /** Counts the documents stored under a version. @param limit Maximum count per kind. */
  countHeld(
    version: SecretVersion,
    limit: number,
  ): Promise<Pick<StoredVersion, 'held' | 'accountIds'>>;
}
