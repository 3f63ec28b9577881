import type { Secrets, SecretVersion, StoredVersion } from '../../domain/secretVersions.ts';

/** Knowledge of the database about versions of secrets; every question goes by an index. */
export interface SecretStore {
  /** Notes that this process makes with the first of each list now, and that the others are there. */
  noteMaking(secrets: Secrets): Promise<void>;
  /** The versions under which something is stored, each once or more, and those that were noted. */
  findVersions(): Promise<{
    stored: SecretVersion[];
    noted: (SecretVersion & { madeUntil: number })[];
  }>;
  /** Counts the documents stored under a version. @param limit Documents of each kind that are counted at most. */
  countHeld(
    version: SecretVersion,
    limit: number,
  ): Promise<Pick<StoredVersion, 'held' | 'accountIds'>>;
}
