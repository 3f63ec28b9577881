import type { CreateImageBody, CreateVideoBody } from './generated/contract.ts';

/** One create, as a step asks for it. */
export interface Order {
  path: '/videos' | '/images';
  body: CreateVideoBody | CreateImageBody;
  /** The user's own word for "the same run"; undefined when not given. */
  requestKey: string | undefined;
  /** The most that it may cost, in credits; NaN when the field was filled in with no such number. */
  maximumCredits: number | undefined;
  /** Whether to wait for the end. */
  wait: boolean;
}
