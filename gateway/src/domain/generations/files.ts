/** An input copied into the media store. */
export interface StoredInput {
  key: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Length of a video or audio file. */
  seconds?: number;
}

/** A finished file in the media store. */
export interface GenerationOutput {
  key: string;
  extension: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Set if its posters are stored as well, under `posterKey`. Shown only on the site. */
  hasPoster?: boolean;
}

/** A generation's files in the media store. */
export interface GenerationFiles {
  /** Null until the inputs are copied, empty once they are removed. */
  storedInputs: StoredInput[] | null;
  outputs: GenerationOutput[];
}
