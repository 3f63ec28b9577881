import type { IdPrefix } from '../../domain/ids.ts';

/** The one source of chance. */
export interface Random {
  newId(prefix: IdPrefix): string;
  /** A seed for a generation whose caller gave none: 1 to 2^31-1. */
  seed(): number;
  /** 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}
