import type { OperatorScope } from '@framegate/contract';
import { createRangeMatcher } from './addresses.ts';

/** A key of the operator API as stored: never the key itself. Times in ms since the epoch. */
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
  /** Ranges of addresses (CIDR) from which it may be used; empty for any. */
  addresses: string[];
  createdAt: number;
  /** From when on it does not work; null for never. */
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

/** How long the answer to an Idempotency-Key is kept, in ms. */
export const operatorKeptMs = 30 * 24 * 3600 * 1000;
