import type {
  Secrets,
  SecretVersion,
  StoredVersion,
} from '../../domain/installation/secretVersions.ts';

/** The database's records of secret versions; every query is indexed. */
export interface SecretStore {
  /** Records that this process uses the first of each list for new values and also has the others. */
  recordMaking(secrets: Secrets): Promise<void>;
  /** Reads the current state. */
  look(): Promise<StoredSecrets>;
}

/** A snapshot of stored documents by version of the secrets. */
export interface StoredSecrets {
  /** The versions with stored documents, possibly repeated. */
  stored: SecretVersion[];
  /** Recorded versions, and when they last made a value, in ms since the epoch. */
  recordedVersions: (SecretVersion & { madeUntil: number })[];
  /** Counts documents stored under a version. @param limit Maximum count per kind. */
  countUses: (
    version: SecretVersion,
    limit: number,
  ) => Promise<Pick<StoredVersion, 'uses' | 'accountIds'>>;
}
