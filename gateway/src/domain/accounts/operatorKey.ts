import { dayMs, type OperatorScope } from '@framegate/contract';
import { createRangeMatcher } from '../network/addresses.ts';
import type { StoredKey } from './apiKey.ts';

/** A key of the operator API. */
export interface OperatorKey extends StoredKey {
  scopes: OperatorScope[];
  /** Address ranges (CIDR) from which it may be used; empty for any. */
  addresses: string[];
  /** Expiry in ms since the epoch; null for never. */
  expiresAt: number | null;
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
