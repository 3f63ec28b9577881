import type { Secrets, SecretVersion, StoredVersion } from '../../domain/secretVersions.ts';

/** The database's records of secret versions; every query is indexed. */
export interface SecretStore {
  /** Records that this process uses the first of each list for new values and has the others. */
  noteMaking(secrets: Secrets): Promise<void>;
  /** Reads the current state. */
  look(): Promise<StoredSecrets>;
}

/** Stored documents by version of the secrets, at one look. */
export interface StoredSecrets {
  /** The versions with stored documents, possibly repeated, and the recorded ones. */
  stored: SecretVersion[];
  /** Recorded versions, and when they last made a value, in ms since the epoch. */
  noted: (SecretVersion & { madeUntil: number })[];
  /** Counts the documents stored under a version. @param limit Maximum count per kind. */
  countHeld: (
    version: SecretVersion,
    limit: number,
  ) => Promise<Pick<StoredVersion, 'held' | 'accountIds'>>;
}
