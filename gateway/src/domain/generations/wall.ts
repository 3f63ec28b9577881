/** Marks that owners set on the wall of their generations. */
export interface WallMarks {
  /** Whether it is among its owner's favourites. */
  isFavourite?: boolean;
  /** The owner's collections that contain it; absent before the first one. */
  collectionIds?: string[];
}
