import type { Generation } from '../../domain/generation.ts';

/** A customer's named group of generations. Times in ms since the epoch. */
export interface Collection {
  id: string;
  accountId: string;
  name: string;
  createdAt: number;
}

/** Collections; each of an account, and bounded in number by the use case. */
export interface CollectionStore {
  /** By name. */
  ofAccount(accountId: string): Promise<Collection[]>;
  insert(collection: Collection): Promise<void>;
  rename(accountId: string, id: string, name: string): Promise<void>;
  /** Removes it; its generations stay. */
  remove(accountId: string, id: string): Promise<void>;
}

/** A link by which anyone may see a generation until it expires. There is one for a generation at most. */
export interface Share {
  /** Id of the generation. */
  id: string;
  accountId: string;
  /** A random value from which the token is computed. */
  salt: string;
  /** SHA-256 of the token, in hex. */
  tokenHash: string;
  showsPrompt: boolean;
  createdAt: number;
  expiresAt: number;
}

/** Links that are given away. */
export interface ShareStore {
  /** In place of the generation's earlier link. */
  put(share: Share): Promise<void>;
  find(generationId: string): Promise<Share | null>;
  findByToken(tokenHash: string): Promise<Share | null>;
  /** Of these generations of the account. */
  remove(accountId: string, generationIds: readonly string[]): Promise<void>;
}

/** An owner's changes of own generations. Those of other accounts, and those that are gone, stay as they are. */
export interface WallStore {
  setFavourite(accountId: string, ids: readonly string[], isOne: boolean): Promise<void>;
  /** Adds generations to a collection; one that is in `most` already stays out. */
  addTo(
    accountId: string,
    ids: readonly string[],
    collection: { id: string; most: number },
  ): Promise<void>;
  takeOut(accountId: string, ids: readonly string[], collectionId: string): Promise<void>;
  /**
   * Marks ended generations as deleted by their owner: from then on nobody can load their files, the prompt is gone,
   * and upkeep deletes the files at once. Ledger, charge and replayed answer stay.
   * @returns Those that were marked now.
   */
  markRemoved(accountId: string, ids: readonly string[], nowMs: number): Promise<Generation[]>;
}
