import type { CreateImageBody, CreateVideoBody } from './generated/contract.ts';

/** One create request, as requested by a step. */
export interface Order {
  path: '/videos' | '/images';
  body: CreateVideoBody | CreateImageBody;
  /** The user's own name for "the same run"; undefined if missing. */
  requestKey: string | undefined;
  /** Maximum cost in credits; NaN if the field was filled in with an invalid number. */
  maxCredits: number | undefined;
  /** Whether to wait for the end. */
  shouldWait: boolean;
}
