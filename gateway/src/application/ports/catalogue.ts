import type { Catalogue, CatalogueVersion } from '../../domain/catalogue.ts';

/* Port of the stored versions of the catalogue. */

/** A version before the database has given it its times. */
export type NewCatalogueVersion = Omit<CatalogueVersion, 'from' | 'publishedAt'> & {
  /** When it is wanted, in ms since the epoch; null: as soon as possible. */
  from: number | null;
};

/** Versions of the catalogue, which are never changed. */
export interface CatalogueStore {
  /** The versions before a number (null: all), the newest first; at most `limit`. */
  page(before: number | null, limit: number): Promise<CatalogueVersion[]>;
  /** The versions after a number, by number; at most `limit`. */
  after(number: number, limit: number): Promise<CatalogueVersion[]>;
  /** Whether a version was made from these settings. */
  has(hash: string): Promise<boolean>;
  /**
   * Inserts a version.
   * @param noticeMs How far from the database's time its beginning is at least, in ms; null for the first version,
   * which has always been in force.
   * @returns False if its number or its hash is taken.
   */
  insert(version: NewCatalogueVersion, noticeMs: number | null): Promise<boolean>;
}

/** A catalogue that settings ask for. */
export interface WantedCatalogue {
  catalogue: Catalogue;
  from: number | null;
  isOperators: boolean;
}
