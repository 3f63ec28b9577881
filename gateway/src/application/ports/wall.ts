import type { Generation } from '../../domain/generations/generation.ts';
import type { Signature } from '../../domain/teams/teamLog.ts';

/** A customer's named group of generations. Times in ms since the epoch. */
export interface Collection {
  id: string;
  accountId: string;
  name: string;
  /** The person who made it. */
  madeBy: string;
  createdAt: number;
}

/** Collections of accounts; the use case limits their number. */
export interface CollectionStore {
  /** Lists the account's collections by name. */
  listOfAccount(accountId: string): Promise<Collection[]>;
  insert(collection: Collection): Promise<void>;
  rename(accountId: string, id: string, name: string): Promise<void>;
  /** Removes a collection, and logs that; its generations stay. */
  remove(collection: Collection, by: Signature): Promise<void>;
}

/** A link through which anyone may see a generation until it expires. A generation has at most one. */
export interface Share {
  /** Id of the generation. */
  id: string;
  accountId: string;
  /** A random value from which the token is derived. */
  salt: string;
  /** SHA-256 of the token, in hex. */
  tokenHash: string;
  showsPrompt: boolean;
  createdAt: number;
  expiresAt: number;
}

/** Links given to others. */
export interface ShareStore {
  /** Replaces the generation's earlier link, and logs the publication. */
  put(share: Share, by: Signature): Promise<void>;
  find(generationId: string): Promise<Share | null>;
  /** The account's live links, at most `limit`, of the newest generations first; after one if given. */
  listOfAccount(accountId: string, limit: number, before?: string | null): Promise<Share[]>;
  findByToken(tokenHash: string): Promise<Share | null>;
  /** Removes the links of these generations of the account, or all, and logs the revocation. */
  remove(accountId: string, generationIds: readonly string[] | 'all', by: Signature): Promise<void>;
}

/** An owner's changes to their own generations. Generations of other accounts and deleted ones are left unchanged. */
export interface WallStore {
  /**
   * Marks favourites, or ends the marks. If favourites are kept longer, the files that exist are kept as long from
   * their end; after a mark ends, they are kept as long as others, but at least two more days.
   */
  setFavourite(
    accountId: string,
    ids: readonly string[],
    isOne: boolean,
    retention: { outputsKeptMs: number; favouritesKeptMs: number },
  ): Promise<void>;
  /** Adds generations to a collection, except those already in `max` collections. */
  addTo(
    accountId: string,
    ids: readonly string[],
    collection: { id: string; max: number },
  ): Promise<void>;
  takeOut(accountId: string, ids: readonly string[], collectionId: string): Promise<void>;
  /**
   * Marks ended generations as deleted by their owner: from then on their files cannot be loaded, the prompt is
   * removed, and upkeep deletes the files immediately. Ledger, charge and replayed response stay. It is logged.
   * @returns Those newly marked.
   */
  markDeleted(accountId: string, ids: readonly string[], by: Signature): Promise<Generation[]>;
}
