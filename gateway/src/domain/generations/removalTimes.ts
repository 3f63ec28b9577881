/** When a generation's outputs are removed. Times in ms since the epoch. */
export interface OutputRemovalTimes {
  /** When the output files will be removed; null until completed. */
  outputsRemoveAt: number | null;
  outputsRemovedAt: number | null;
}

/** The removal times of a generation's parts. */
export interface GenerationRemovalTimes extends OutputRemovalTimes {
  /** When the next part of an ended generation is due for removal: inputs first, then outputs. */
  tidyAt: number | null;
  /** When its owner deleted it: files and prompt are removed, record and charge stay. */
  deletedAt?: number;
}
