import type { Generation, GenerationInput, StoredInput } from '../../domain/generation.ts';

/**
 * What taking the inputs over came to; `reason` is for staff, and `slow` says that reading the input cost
 * more than a lawful file does.
 */
export type InputsTaken =
  | { stored: StoredInput[] }
  | {
      failed: {
        code: 'input_unreachable' | 'input_invalid';
        param: string;
        reason: string;
        slow?: boolean;
      };
    };

/** Our own store failed, which says nothing about the inputs. */
export class InputsNotStored extends Error {}

/**
 * Takes a generation's inputs into the store: customers' URLs through the guarded client.
 * @throws InputsNotStored when the store failed; the signal's reason when it is aborted.
 */
export type TakeInputs = (
  of: Pick<Generation, 'id' | 'accountId'>,
  inputs: readonly (GenerationInput & { storeKey: string | null })[],
  signal: AbortSignal,
) => Promise<InputsTaken>;
