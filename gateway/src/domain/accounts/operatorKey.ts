import { dayMs, type OperatorScope } from '@framegate/contract';
import { createRangeMatcher } from '../network/addresses.ts';

/** A key of the operator API as stored, without the secret. Times in ms since the epoch. */
export interface OperatorKey {
  id: string;
  name: string;
  /** HMAC of the key under the pepper of this version. */
  hash: string;
  pepperVersion: string;
  /** Its start: `fg_operator_` and six more characters. */
  prefix: string;
  lastFour: string;
  scopes: OperatorScope[];
  /** Address ranges (CIDR) from which it may be used; empty for any. */
  addresses: string[];
  createdAt: number;
  /** Expiry; null for never. */
  expiresAt: number | null;
  /** When it stopped or, after a rotation, will stop working. */
  revokedAt: number | null;
}

/** Whether the key works at `nowMs`. */
export function isUsable(
  key: Pick<OperatorKey, 'expiresAt' | 'revokedAt'>,
  nowMs: number,
): boolean {
  return [key.expiresAt, key.revokedAt].every((end) => end === null || end > nowMs);
}

/** Whether the key may be used from this address. */
export function mayComeFrom(
  { addresses }: Pick<OperatorKey, 'addresses'>,
  address: string,
): boolean {
  return addresses.length === 0 || createRangeMatcher(addresses)(address);
}

/** How long the response to an Idempotency-Key is kept, in ms. */
export const operatorResponsesKeptMs = 30 * dayMs;
