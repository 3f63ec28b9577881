import type { GenerationInput, StoredInput } from '../../domain/generation.ts';

/** What taking the inputs over came to; `reason` is for staff. */
export type InputsTaken =
  | { stored: StoredInput[] }
  | { failed: { code: 'input_unreachable' | 'input_invalid'; param: string; reason: string } };

/** Takes a generation's inputs into the store: customers' URLs through the guarded client. */
export type TakeInputs = (
  generationId: string,
  inputs: readonly (GenerationInput & { storeKey: string | null })[],
  signal: AbortSignal,
) => Promise<InputsTaken>;
