/** A file as a provider hands it over. */
export interface ProviderOutput {
  /** Opens it; may be called again after a failure. */
  read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/** A provider's file is not what was asked for, or damaged. The message is for staff. */
export class InvalidOutput extends Error {}

/**
 * Checks, cleans, marks and stores one output file.
 * @throws InvalidOutput when it is not what was asked for; TransferFailure when it is too large; whatever
 * reading it throws.
 */
export type StoreOutput = (
  key: string,
  output: ProviderOutput,
  wanted: { type: 'video' | 'image'; format: string },
  signal: AbortSignal,
) => Promise<{ mediaType: string; bytes: number; sha256: string }>;
