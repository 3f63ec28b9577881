import type { Catalogue, CatalogueVersion } from '../../domain/catalogue/catalogue.ts';

/* Port of the stored versions of the catalogue. */

/** A version before the database has set its times. */
export type NewCatalogueVersion = Omit<CatalogueVersion, 'from' | 'publishedAt'> & {
  /** Requested start in ms since the epoch; null for as soon as possible. */
  from: number | null;
};

/** Versions of the catalogue; they never change. */
export interface CatalogueStore {
  /** Lists at most `limit` versions before a number (null: all), newest first. */
  listPage(before: number | null, limit: number): Promise<CatalogueVersion[]>;
  /** Lists at most `limit` versions after a number, by number. */
  listAfter(number: number, limit: number): Promise<CatalogueVersion[]>;
  /** Whether a version was made from these settings. */
  has(hash: string): Promise<boolean>;
  /**
   * Inserts a version.
   * @param noticeMs Minimum time from the database's now to its start, in ms; null for the first version, which has
   * always been in force.
   * @returns False if its number or its hash is taken.
   */
  insert(version: NewCatalogueVersion, noticeMs: number | null): Promise<boolean>;
}

/** A catalogue requested by settings. */
export interface RequestedCatalogue {
  catalogue: Catalogue;
  from: number | null;
  isOperators: boolean;
}
