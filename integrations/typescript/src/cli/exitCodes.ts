import {
  AbortError,
  AuthenticationError,
  BillingError,
  ConnectionError,
  DownloadError,
  GenerationFailedError,
  PermissionDeniedError,
  PriceLimitError,
  RateLimitError,
  ServiceError,
  UnexpectedResponseError,
  WaitTimeoutError,
} from '../errors.ts';
import { CommandError } from './io.ts';

/** Meaning of each exit code, printed by the help. */
export const exitCodes = {
  0: 'done',
  1: 'the generation failed and was refunded',
  2: 'the command or the request is wrong',
  3: 'the API key is missing, invalid or not permitted',
  4: 'not enough credits, or the price is above --max-credits',
  5: 'not finished in time; it continues, and the command to resume is printed',
  6: 'no response from the service, or it asked for a longer wait than a command allows',
  7: 'the result was not downloaded; the command to try again is printed',
  130: 'interrupted; created generations continue, and the command to resume is printed',
} as const;

const byClass: readonly (readonly [abstract new (...args: never[]) => Error, number])[] = [
  [GenerationFailedError, 1],
  [AuthenticationError, 3],
  [PermissionDeniedError, 3],
  [BillingError, 4],
  [PriceLimitError, 4],
  [WaitTimeoutError, 5],
  [ConnectionError, 6],
  [RateLimitError, 6],
  [ServiceError, 6],
  [UnexpectedResponseError, 6],
  [DownloadError, 7],
  [AbortError, 130],
];

/** The exit code for an error of the client or of a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return byClass.find(([Class]) => error instanceof Class)?.[1] ?? 2;
}
